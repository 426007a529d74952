"""Install the hooks of a project."""

from typing import Annotated

import typer

from hookwright.cli.installation import Diff, DryRun, InScope, change_installation
from hookwright.cli.options import HERE, AsJson, InProject, Scope, Yes
from hookwright.project.reader import open_project


def install(
    *,
    project: InProject = HERE,
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
    """Install the hooks of a project into Claude Code."""
    opened = open_project(project)
    options = ["--scope", scope.value, *(["--take-over"] if take_over else [])]
    ask = None if dry_run else f"Install {opened.name}?"
    return change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
