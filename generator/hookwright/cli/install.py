"""Install the hooks of a project."""

from typing import Annotated

import typer

from hookwright.cli.current_project import open_current
from hookwright.cli.installation import (
    Diff,
    DryRun,
    InClients,
    InScope,
    change_installation,
    name_clients,
    warn_of_records,
)
from hookwright.cli.options import HERE, AsJson, InProject, Scope, Yes
from hookwright.cli.terminal import print_note
from hookwright.installer import files
from hookwright.simulate.trust import is_known


def install(
    *,
    project: InProject = HERE,
    client: InClients = None,
    scope: InScope = Scope.USER,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Replace the hooks that another folder installed."),
    ] = False,
    dry_run: DryRun = False,
    diff: Diff = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Install the hooks of a project into Claude Code and other agents."""
    opened = open_current(project, yes=yes)
    options = ["--scope", scope.value, *(["--take-over"] if take_over else [])]
    options += name_clients(client)
    for name in opened.script_names:
        path = opened.find_hook(name)
        content = files.peek(path)
        if content and not is_known(name, content, opened):
            print_note(
                f"{path} differs from what this version renders: review it before you trust it"
            )
    ask = None if dry_run else f"Install {opened.name}?"
    code = change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
    if ask:
        warn_of_records(opened, opened.rendered_databases, opened.rendered_routes)
    return code
