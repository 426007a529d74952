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
from hookwright.project.status import HookStatus, list_hooks, list_plugins, list_projects
from hookwright_console.terminal import build_table, dump, open_console, print_line
from hookwright_console.unseen import escape_hidden


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
    hooks = list_hooks(opened, scope.value if scope else "")
    plugins = list_plugins(opened)
    if plugins and all(one.state == "missing" for one in hooks):
        hooks = []
    projects = list_projects()
    own = next((one for one in projects if one.project == opened.name), None)
    others = [one for one in projects if one is not own]
    folder = own.folder if own else None
    is_own = folder in {None, str(opened.folder)}
    is_current = is_own and all(one.state == "current" for one in hooks)
    if as_json:
        value = {
            "project": opened.name,
            "installed_from": folder,
            "hooks": [asdict(one) for one in hooks],
            "plugins": plugins,
            "others": [asdict(one) for one in others],
        }
        print(dump(value, indent=2))
        return int(not is_current)
    if hooks:
        show_hooks(hooks)
    if plugins:
        print_line(f"installed as the plugin {' and '.join(plugins)}")
    if folder:
        print_line(f"installed from {shorten_home(folder)}")
    for one in others:
        origin = f", from {shorten_home(one.folder)}" if one.folder else ""
        print_line(f"also installed: {one.project}{origin}")
    if not is_own:
        command = name_command("install", opened)
        say(f"another folder installed {opened.name}: to replace it, run {command} --take-over")
    elif not is_current:
        say(advise(opened, hooks))
    return int(not is_current)


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
