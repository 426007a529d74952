"""The argument for a record's name, with shell completion."""

from typing import Annotated

import typer

from hookwright.project.current import find_current
from hookwright.project.reader import read_project
from hookwright.project.record_changes import list_names
from hookwright_console.errors import RefusedError


def complete_name(context: typer.Context, incomplete: str) -> list[str]:
    try:
        folder = context.params.get("project")
        project = read_project(folder) if folder else find_current()
    except RefusedError:
        return []
    names = list_names(project) if project else []
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
