"""Remove a record from a project."""

from typing import Annotated

import typer

from hookwright.answers.records import list_names, remove_record
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.project.change import plan_change
from hookwright.project.reader import open_project
from hookwright_console.errors import RefusedError


def complete_name(context: typer.Context, incomplete: str) -> list[str]:
    """Return the records of the project that a shell can complete to."""
    try:
        names = list_names(open_project(context.params.get("project") or HERE))
    except RefusedError:
        return []
    return [name for name in names if name.startswith(incomplete)]


@take_change_options
def remove(
    name: Annotated[
        str,
        typer.Argument(
            help="The name of the record in hookwright list.", autocompletion=complete_name
        ),
    ],
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Remove a database or a route."""
    opened = open_project(project)
    change = plan_change(opened, remove_record(opened, name))
    return apply(change, f"Remove {name}", options)
