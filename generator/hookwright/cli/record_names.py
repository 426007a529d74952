"""The argument that names a record, which a shell completes."""

from typing import Annotated

import typer

from hookwright.answers.records import list_names
from hookwright.cli.options import HERE
from hookwright.project.reader import read_project
from hookwright_console.errors import RefusedError


def complete_name(context: typer.Context, incomplete: str) -> list[str]:
    """Return the records of the project that a shell can complete to."""
    try:
        names = list_names(read_project(context.params.get("project") or HERE))
    except RefusedError:
        return []
    return [name for name in names if name.startswith(incomplete)]


HELP = "The name of the record in hookwright list."
RecordName = Annotated[str, typer.Argument(help=HELP, autocompletion=complete_name)]
OptionalName = Annotated[
    str, typer.Argument(help=HELP, show_default="all answers", autocompletion=complete_name)
]
RecordNames = Annotated[
    list[str],
    typer.Argument(metavar="NAME", help=HELP, autocompletion=complete_name),
]
