"""The options that several commands have."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class Scope(str, Enum):
    """The settings where hooks are installed."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


InProject = Annotated[
    Path, typer.Option("--project", metavar="DIR", help="The project.", show_default="here")
]
HERE = Path()
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, go on.")]
Commits = Annotated[
    bool, typer.Option("--commit/--no-commit", help="Commit the change if the project is in git.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
