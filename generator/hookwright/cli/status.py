"""Show where the hooks are installed, and if they are current."""

from dataclasses import asdict
from typing import Annotated

import typer

from hookwright.cli.installation import shorten_home
from hookwright.cli.options import HERE, AsJson, InProject, Scope
from hookwright.cli.terminal import say
from hookwright.clients.claude.configuration import find_config_folder
from hookwright.project.own_installer import name_command
from hookwright.project.reader import Project, open_project
from hookwright.project.status import HookStatus, InstallationStatus, read_status
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import build_table, dump, open_console, print_line


def status(
    *,
    project: InProject = HERE,
    scope: Annotated[
        Scope | None, typer.Option(help="The settings to look at.", show_default="all")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show where the hooks are installed, and if they are current."""
    opened = open_project(project)
    found = read_status(opened, scope.value if scope else "")
    is_own = found.installed_from in {None, str(opened.folder)}
    if as_json:
        print(dump(asdict(found), indent=2))
    else:
        show(found)
        if not is_own:
            command = f"{name_command('install', opened)} --take-over"
            say(f"another folder installed {opened.name}: to replace it, run {command}")
        elif not found.is_current:
            say(advise(opened, found.hooks))
    return int(not (is_own and found.is_current))


def show(found: InstallationStatus) -> None:
    """Print what of a project is installed, and the other projects that are."""
    if found.hooks:
        show_hooks(found.hooks)
    if found.plugins:
        print_line(f"installed as the plugin {' and '.join(found.plugins)}")
    if found.installed_from:
        print_line(f"installed from {shorten_home(found.installed_from)}")
    for one in found.others:
        origin = f", from {shorten_home(one.folder)}" if one.folder else ""
        print_line(f"also installed: {one.project}{origin}")


def show_hooks(hooks: list[HookStatus]) -> None:
    """Print a table of the hooks of a project."""
    place = shorten_home(str(find_config_folder() / "hooks"))
    table = build_table("hook", "scope", "state", escape_hidden(f"in {place}"))
    for one in hooks:
        file = shorten_home(one.file).removeprefix(f"{place}/")
        table.add_row(one.hook, one.scope, one.state, escape_hidden(file))
    open_console().print(table)


def advise(project: Project, hooks: list[HookStatus]) -> str:
    """Return how to make all hooks current."""
    problem = "current" if any(one.state != "missing" for one in hooks) else "installed"
    scope = next(one.scope for one in hooks if one.state != "current")
    option = "" if scope == Scope.USER.value else f" --scope {scope}"
    return f"{project.name} is not {problem}: run {name_command('install', project)}{option}"
