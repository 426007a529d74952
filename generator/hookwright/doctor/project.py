"""Check a project: its files and version, and its records' paths, commands and patterns."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hookwright import __version__
from hookwright.answers.schema import name_database
from hookwright.answers.validation import format_fault, list_faults
from hookwright.clients.claude.mcp_servers import McpServer, find_server, list_servers
from hookwright.discovery.search_tools import LEANN, is_index, list_projects
from hookwright.doctor.finding import Finding, Setup
from hookwright.documentation.database_records import find_database
from hookwright.hooks.registry import HOOKS, LESSON_SEARCH, Hook
from hookwright.installer import files
from hookwright.patterns.check import check_routes, list_doubts
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import (
    drop_weighed,
    list_edited,
    order_routes,
    read_databases,
    read_routes,
    read_tables,
)
from hookwright.simulate.trial import list_failed_tests
from hookwright.template.store import find_template, is_own, read_release
from hookwright_console.objects import pick
from hookwright_console.terminal import count

MARK = b"<<<<<<< before updating"  # Copier's conflict marker
RENDERED = ("*", "hooks/*", "tests/*", ".claude-plugin/*")  # folders of rendered files
FILE = re.compile(r"[/~]|\.{1,2}/|[A-Za-z]:[\\/]|\\\\")  # characters at the start of a file path


def check_rendered(setup: Setup) -> Iterator[Finding]:
    project = setup.project
    if not project:
        return
    conflicts, restore = find_conflicts(project), project.name_command("update --restore")
    for path in conflicts:
        yield Finding.fault("rendered", f"{path} contains <<<<<<<", "resolve the conflict")
    chosen = [hook for hook in HOOKS if hook.name in project.rendered_hooks]
    odd = [hook.name for hook in chosen if not agrees(project, hook)]
    for name in odd:
        problem = f"{project.find_hook(name)} does not match the answers"
        yield Finding.fault("rendered", problem, f"restore both from git, or run {restore}")
    edited = [name for name in list_edited(project) if name not in odd and not conflicts]
    for name in edited:
        problem = f"{project.find_hook(name)} was edited by hand"
        yield Finding.fault("rendered", problem, f"run {restore}")
    if not odd and not conflicts and not edited:
        yield Finding.ok("rendered", "the hooks match the answers")
    yield from check_version(project)
    yield from check_renovate(project)


def agrees(project: Project, hook: Hook) -> bool:
    tables = read_tables(project.find_hook(hook.name))
    if hook.records == "databases":
        return read_databases(tables) == drop_weighed(project.rendered_databases)
    if hook.records == "routes":
        wanted = order_routes(project.rendered_routes)
        return list(read_routes(tables).items()) == list(wanted.items())
    if hook == LESSON_SEARCH and project.answers.get("transport") == "http":
        return True  # the client queries the server itself
    constants = {
        question: tables[question.upper()]
        for question in hook.questions
        if question.upper() in tables
    }
    return bool(constants or not hook.questions) and all(
        project.answers.get(constant) == constants[constant] for constant in constants
    )


def find_conflicts(project: Project) -> list[str]:
    return [
        str(path)
        for pattern in RENDERED
        for path in sorted(project.folder.glob(pattern))
        if path.is_file() and b"\n" + MARK in b"\n" + files.peek(path)
    ]


def check_version(project: Project) -> Iterator[Finding]:
    theirs, ours = map(read_release, (project.version, __version__))
    of = project.version or "no version"
    if not is_own(project.source) or not theirs or not ours:
        yield Finding.ok("version", f"{of} of {project.source or 'an unknown template'}")
    elif theirs == ours:
        yield Finding.ok("version", f"{of}, the same as this version")
    else:
        fix = f"run {project.name_command('update')}" if theirs < ours else "update Hookwright"
        yield Finding.warn("version", f"rendered by {of}, this is {__version__}", fix)


def check_renovate(project: Project) -> Iterator[Finding]:
    if project.answers.get("renovate") and Path(project.source).is_absolute():
        problem = f"Renovate cannot read the template {project.source}"
        fix = f"use one at a git URL, or set renovate to false ({project.name_command('edit')})"
        yield Finding.warn("version", problem, fix)


def check_paths(setup: Setup) -> Iterator[Finding]:
    servers = list_servers(setup.folder)
    others = [
        database for database in setup.databases if not find_database(database)
    ]  # documentation.py checks the rest
    for database in others:
        name, path = name_database(database), str(database.get("path", ""))
        if FILE.match(path):
            yield check_path(name, path)
        index = pick(database, "arguments").get(LEANN.argument)
        tool = str(database.get("mcp_tool_name"))
        if tool.endswith(f"__{LEANN.name}") and isinstance(index, str):
            yield check_index(name, index, setup.folder, find_server(tool, servers))


def check_path(name: str, path: str) -> Finding:
    if os.path.exists(os.path.expanduser(path)):  # noqa: PTH110, PTH111 - of any text
        return Finding.ok("paths", f"{name}: {path} exists")
    fix = f"create it, or run hookwright edit {shlex.quote(name)}"
    return Finding.fault("paths", f"{name}: {path} does not exist", fix)


def check_index(name: str, index: str, folder: Path, server: McpServer | None) -> Finding:
    place = find_index(index, folder, server)
    if place:
        return Finding.ok("paths", f"{name}: the LEANN index {index} is in {place}")
    problem = f"{name}: the LEANN index {index} does not exist"
    return Finding.fault("paths", problem, f"run leann build {shlex.quote(index)} --docs DIR")


def find_index(name: str, folder: Path, server: McpServer | None) -> Path | None:
    own = Path(os.path.expanduser(name))  # noqa: PTH111 - of any text
    if is_index(own):
        return own
    args = list(server.args) if server else []
    bases = [folder]
    if "--base-dir" in args[:-1]:
        bases = [Path(args[args.index("--base-dir") + 1])]
    places = [base / ".leann" / "indexes" / name for base in [*bases, *list_projects()]]
    return next(filter(is_index, places), None)


def check_commands(routes: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    needing: dict[str, list[str]] = {}
    for name, route in routes.items():
        if isinstance(command := route.get("requires"), str):
            needing.setdefault(command, []).append(name)
    for command, names in needing.items():
        if path := shutil.which(command):
            yield Finding.ok("commands", f"{command} is {path}")
        else:
            problem = f"{command} is missing, so the hook skips {', '.join(names)}"
            yield Finding.warn("commands", problem, f"install {command}")


def check_patterns(setup: Setup) -> Iterator[Finding]:
    whole = {
        name: route for name, route in setup.routes.items() if isinstance(route.get("pattern"), str)
    }
    faults, edit = check_routes(whole), f"run {setup.name_command('edit')}"
    template = find_template()
    for fault in faults:
        yield Finding.fault("patterns", str(fault), edit)
    spoilt = {fault.route for fault in faults}
    sound = {name: route for name, route in whole.items() if name not in spoilt}
    lines = list_doubts(sound)
    if sound:
        lines += [format_fault(template, fault) for fault in list_faults(template, "routes", sound)]
    for line in lines:
        yield Finding.warn("patterns", line, edit)
    if whole and not faults:
        line = f"{count(len(whole), 'pattern')} checked: all valid, none runs forever"
        yield Finding.ok("patterns", line)


def check_examples(setup: Setup) -> Iterator[Finding]:
    """Yield failing tests of routes whose patterns are valid and fast."""
    routes = setup.routes
    whole = all(isinstance(route.get("pattern"), str) for route in routes.values())
    has_tests = any(route.get("tests") for route in routes.values())
    if whole and has_tests and not check_routes(routes):
        for line in list_failed_tests(routes, routes):
            yield Finding("patterns", "warn", line)
