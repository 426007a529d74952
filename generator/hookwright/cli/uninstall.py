"""Take the hooks of a project out again."""

from typing import Annotated

import typer

from hookwright.cli.installation import Diff, DryRun, InScope, change_installation
from hookwright.cli.options import HERE, AsJson, InProject, Scope, Yes
from hookwright.cli.terminal import say
from hookwright.project.installer import find_scopes
from hookwright.project.reader import open_project


def uninstall(
    *,
    project: InProject = HERE,
    scope: InScope = Scope.USER,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Remove the hooks that another folder installed.")
    ] = False,
    dry_run: DryRun = False,
    diff: Diff = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Take the hooks of a project out of Claude Code."""
    opened = open_project(project)
    options = ["--scope", scope.value, "--uninstall", *(["--take-over"] if take_over else [])]
    ask = None if dry_run else f"Uninstall {opened.name}?"
    code = change_installation(opened, options, ask, diff=diff, yes=yes, as_json=as_json)
    others = [other for other in find_scopes(opened) if other != scope.value]
    if others:
        where = " and ".join(others)
        say(f"{opened.name} is also in the {where} settings: use --scope {others[0]}")
    return code
