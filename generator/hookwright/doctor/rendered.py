"""Check whether the files of a project match its answers, and which version rendered them."""

import re
from collections.abc import Iterator

from hookwright import __version__
from hookwright.doctor.finding import Finding, Setup
from hookwright.hooks.registry import HOOKS, LESSON_SEARCH, Hook
from hookwright.installer import files
from hookwright.project.hook_tables import (
    drop_weighed,
    order_routes,
    read_databases,
    read_routes,
    read_tables,
)
from hookwright.project.reader import Project
from hookwright.rendered_hooks import list_edited
from hookwright.template.store import find_kept_template

MARK = b"<<<<<<< before updating"  # what Copier leaves where both have changed a line
RELEASE = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
RENDERED = ("*", "hooks/*", "tests/*", ".claude-plugin/*")  # where rendered files are


def check_rendered(setup: Setup) -> Iterator[Finding]:
    project = setup.project
    if not project:
        return
    conflicts = find_conflicts(project)
    for path in conflicts:
        yield Finding("rendered", "fault", f"{path} has <<<<<<< in it: resolve the conflict")
    chosen = [hook for hook in HOOKS if hook.name in project.rendered_hooks]
    odd = [hook for hook in chosen if not agrees(project, hook)]
    for hook in odd:
        yield Finding(
            "rendered",
            "fault",
            f"{project.find_hook(hook.name)} does not match the answers: restore both from git, "
            "or run hookwright update --restore there",
        )
    told = {hook.name for hook in odd}
    edited = [name for name in list_edited(project) if name not in told and not conflicts]
    for name in edited:
        yield Finding(
            "rendered",
            "fault",
            f"{project.find_hook(name)} was edited by hand: run hookwright update --restore",
        )
    if not odd and not conflicts and not edited:
        yield Finding("rendered", "ok", "the hooks match the answers")
    yield from check_version(project)


def agrees(project: Project, hook: Hook) -> bool:
    tables = read_tables(project.find_hook(hook.name))
    if hook.records == "databases":
        return read_databases(tables) == drop_weighed(project.rendered_databases)
    if hook.records == "routes":
        wanted = order_routes(project.rendered_routes)
        return list(read_routes(tables).items()) == list(wanted.items())
    if hook == LESSON_SEARCH and project.answers.get("transport") == "http":
        return True  # the client asks the server itself
    constants = {one: tables[one.upper()] for one in hook.questions if one.upper() in tables}
    return bool(constants or not hook.questions) and all(
        project.answers.get(one) == constants[one] for one in constants
    )


def find_conflicts(project: Project) -> list[str]:
    return [
        str(path)
        for pattern in RENDERED
        for path in sorted(project.folder.glob(pattern))
        if path.is_file() and b"\n" + MARK in b"\n" + files.peek(path)
    ]


def check_version(project: Project) -> Iterator[Finding]:
    made, ours = (RELEASE.match(text) for text in (project.version, __version__))
    of = project.version or "no version"
    if project.source != str(find_kept_template()) or not made or not ours:
        yield Finding("version", "ok", f"{of} of {project.source or 'an unknown template'}")
    elif [int(part) for part in made.groups()] < [int(part) for part in ours.groups()]:
        yield Finding(
            "version", "warn", f"rendered by {of}, this is {__version__}: run hookwright update"
        )
    elif [int(part) for part in made.groups()] > [int(part) for part in ours.groups()]:
        yield Finding(
            "version", "warn", f"rendered by {of}, this is {__version__}: update Hookwright"
        )
    else:
        yield Finding("version", "ok", f"{of}, the same as this version")
