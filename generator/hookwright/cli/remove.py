"""Remove a record from a project."""

from typing import Annotated

import typer

from hookwright.changing import rehearse
from hookwright.cli.applying import apply
from hookwright.cli.options import HERE, Commits, InProject, Yes
from hookwright.project import open_project
from hookwright.records import remove_record


def remove(
    name: Annotated[str, typer.Argument(help="The record, as hookwright list calls it.")],
    *,
    project: InProject = HERE,
    yes: Yes = False,
    commit: Commits = True,
) -> int:
    """Remove a database or a route from a project."""
    opened = open_project(project)
    change = rehearse(opened, remove_record(opened, name))
    return apply(change, f"Remove {name}", yes=yes, commit=commit)
