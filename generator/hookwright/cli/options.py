"""The options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

InProject = Annotated[
    Path, typer.Option("--project", metavar="DIR", help="The project.", show_default="here")
]
HERE = Path()
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, go on.")]
Commits = Annotated[
    bool, typer.Option("--commit/--no-commit", help="Commit the change if the project is in git.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
