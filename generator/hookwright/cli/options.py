"""Options shared by several commands."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class Scope(str, Enum):
    """The settings that hooks are installed in."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


class ExpectedOutcome(str, Enum):
    """The outcome a user expects for a call; a warning counts as allowed."""

    DENY = "deny"
    ALLOW = "allow"


def read_folder(text: str | Path) -> Path:
    """Return a folder; raises BadParameter for "", which would mean the current folder."""
    if text == "":
        raise typer.BadParameter("it is empty: name the folder of a project")
    return Path(text)


def complete_database(incomplete: str) -> list[str]:
    from hookwright_documentation.databases import list_names

    return [name for name in list_names() if name.startswith(incomplete)]


DatabaseName = Annotated[
    str, typer.Argument(help="A database in hookwright docs.", autocompletion=complete_database)
]
InProject = Annotated[
    Path,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The project.",
        show_default="the current or installed one",
        parser=read_folder,
    ),
]
InProjectOrNew = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="The project; created if the folder is missing or empty.",
        show_default="the current or installed one, else ~/my-hooks",
        parser=read_folder,
    ),
]
Every = Annotated[bool, typer.Option("--all", help="Use all installed projects.")]
HERE = Path()
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
Commits = Annotated[
    bool, typer.Option("--commit/--no-commit", help="Commit the change if the project is in git.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
