"""Remove a project's hooks from the clients."""

import shlex
from typing import Annotated

import typer

from hookwright.cli.current_project import choose_installed_folder
from hookwright.cli.installation import (
    Diff,
    DryRun,
    InClients,
    InScope,
    change_installation,
    name_clients,
)
from hookwright.cli.options import HERE, AsJson, InProject, Scope, Yes
from hookwright.cli.terminal import print_note
from hookwright.documentation.database_records import list_connected, list_unused
from hookwright.project.installer import (
    CLAUDE,
    explain_elsewhere,
    find_scopes,
    is_packaged,
    list_clients,
    list_places,
)
from hookwright.project.own_installer import name_command
from hookwright.project.reader import Project
from hookwright.project.record_changes import list_names
from hookwright.project.status import open_or_stand_in


def uninstall(
    *,
    project: InProject = HERE,
    client: InClients = None,
    scope: InScope = Scope.USER,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Remove the hooks that another folder installed.")
    ] = False,
    dry_run: DryRun = False,
    diff: Diff = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Uninstall the hooks of a project from Claude Code and other agents."""
    options = ["--scope", scope.value, "--uninstall", *(["--take-over"] if take_over else [])]
    options += name_clients(client)
    with open_or_stand_in(choose_installed_folder(project, yes=yes)) as opened:
        ask = None if dry_run else f"Uninstall {opened.name}?"
        code = change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
        for name in list_clients(opened, client or []):
            others = [other for other in find_scopes(opened, name) if other != scope.value]
            if others:
                where = f"the {' and '.join(others)} settings"
                where += "" if name is CLAUDE else f" of {name.title}"
                print_note(f"{opened.name} is also in {where}: use --scope {others[0]}")
        if elsewhere := explain_elsewhere(opened, "uninstall", names_scope=True):
            print_note(elsewhere)
        if not (dry_run or code):
            report_databases(opened)
    return code


def report_databases(project: Project) -> None:
    if list_places(project) or is_packaged(project):
        return
    connected = list_connected(project, list_names(project))
    for names, effect in (
        (list_unused(project), "deletes the pages and the index"),
        (connected, "removes the server from the settings"),
    ):
        if names:
            command = name_command(shlex.join(["remove", *names]), project)
            print_note(f"agents can still search {', '.join(names)}: {command} {effect}")
