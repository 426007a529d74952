"""Show where the hooks are installed, and whether they are up to date."""

import shlex
from dataclasses import asdict
from typing import Annotated

import typer

from hookwright.cli.current_project import NOTHING, NoProjectError, open_shown
from hookwright.cli.options import HERE, AsJson, Every, InProject, Scope
from hookwright.cli.terminal import print_note
from hookwright.clients.dialects import read_dialects
from hookwright.documentation.projects import list_removed
from hookwright.installer.client import CLAUDE
from hookwright.project.installer import explain_elsewhere, find_rivalry
from hookwright.project.reader import Project
from hookwright.project.status import HookStatus, InstallationStatus, read_all, read_status
from hookwright_console.terminal import dump, print_line, print_table
from hookwright_console.text import escape_hidden, shorten_home


def status(
    *,
    project: InProject = HERE,
    scope: Annotated[
        Scope | None, typer.Option(help="The settings to look at.", show_default="all")
    ] = None,
    every: Every = False,
    as_json: AsJson = False,
) -> int:
    """Show where the hooks are installed, and whether they are current."""
    try:
        shown = [] if every else open_shown(project)
    except NoProjectError:
        shown = []
    if len(shown) != 1:
        return show_all(as_json=as_json)
    (opened,) = shown
    found = read_status(opened, scope.value if scope else "")
    is_own = found.installed_from in {None, str(opened.folder.resolve())}
    if as_json:
        print(dump(asdict(found), indent=2))
    else:
        show(found)
        command = opened.name_command("install")
        if not is_own and find_rivalry(opened):
            print_note(
                f"another folder installed {opened.name}: to replace it, run {command} --take-over"
            )
        elif not is_own:
            place = shorten_home(str(found.installed_from))
            print_note(f"{opened.name} was moved here from {place}: run {command}")
        else:
            print_note(*advise(opened, found.hooks))
    return int(not (is_own and found.is_current))


def show_all(*, as_json: bool) -> int:
    found = read_all()
    if as_json:
        print(dump({"projects": [asdict(status) for status in found]}, indent=2))
    elif not found:
        print_line(NOTHING)
    else:
        for status in found:
            folder = status.folder or ""
            command = f"hookwright status --project {shlex.quote(folder)}"
            state = status.error or ("current" if status.current else f"not current: see {command}")
            place = f" ({shorten_home(folder)})" if folder else ""
            print_line(f"{status.project}{place}: {state}")
    return int(not all(status.current for status in found))


def show(found: InstallationStatus) -> None:
    origin = found.installed_from
    print_line(found.project + (f", installed from {shorten_home(origin)}" if origin else ""))
    several = any(hook.client != CLAUDE.name for hook in found.hooks)
    rows = [
        (
            hook.hook,
            *([hook.client] if several else []),
            hook.scope,
            hook.state,
            escape_hidden(shorten_home(hook.file)),
        )
        for hook in found.hooks
    ]
    if rows:
        columns = ("hook", *(["client"] if several else []), "scope", "state", "file")
        print_table(columns, rows)
    for package in found.packages:
        print_line(f"installed in {read_dialects()[package.client].title} as {package.name}")
    for other in found.others:
        origin = f", from {shorten_home(other.folder)}" if other.folder else ""
        print_line(f"also installed: {other.project}{origin}")


def advise(project: Project, hooks: list[HookStatus]) -> list[str]:
    lines = list(dict.fromkeys(hook.problem for hook in hooks if hook.problem))
    rest = [hook for hook in hooks if not hook.problem]
    stale = next((other for other in rest if other.state != "current"), None)
    if not stale:
        return lines
    problem = "current" if any(other.state != "missing" for other in rest) else "installed"
    if problem == "installed" and (elsewhere := explain_elsewhere(project, "status")):
        return [elsewhere, *lines]
    if problem == "installed" and list_removed(project):
        way_out = f"run hookwright setup, or delete {shorten_home(str(project.folder))}"
        return [f"{project.name} is not installed and has no database left: {way_out}", *lines]
    option = "" if stale.scope == Scope.USER.value else f" --scope {stale.scope}"
    option += "" if stale.client == CLAUDE.name else f" --client {stale.client}"
    return [
        f"{project.name} is not {problem}: run {project.name_command('install')}{option}",
        *lines,
    ]
