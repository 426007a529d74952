"""Options shared by several commands."""

import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from enum import Enum
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    from hookwright.project.reader import Project


class Scope(str, Enum):
    """The settings that hooks are installed in."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


def read_folder(text: str | Path) -> Path:
    """Return a folder; raises BadParameter for "", which would mean the current folder."""
    if text == "":
        raise typer.BadParameter("it is empty: name the folder of a project")
    return Path(text)


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


@dataclass(frozen=True)
class ChangeOptions:
    """The options of a command that changes a project."""

    project: Path = HERE
    yes: bool = False  # apply without asking
    commit: bool = True
    dry_run: bool = False  # only show the change
    diff: bool = False  # show a patch of all files
    report: TextIO | None = None  # where to print JSON; None for a command without --json

    @property
    def asks(self) -> bool:
        """Whether to ask the user before a change."""
        return not (self.yes or self.dry_run)

    def open(self, name: str = "") -> "Project":
        """Return the project to change, as `open_current`; ask before using a new template."""
        from hookwright.cli.current_project import agree_to_template, open_current

        opened = open_current(self.project, [name] if name else [], yes=self.yes)
        agree_to_template(opened, yes=self.yes)
        return opened


def take_change_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the change options to a command, which receives them as `options`.

    With --json, all other output goes to stderr.
    """

    def run(
        *,
        project: InProject = HERE,
        yes: Yes = False,
        commit: Commits = True,
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Show the change without making it.")
        ] = False,
        diff: Annotated[bool, typer.Option("--diff", help="Show the patch of each file.")] = False,
        as_json: AsJson = False,
        **words: Any,
    ) -> int:
        options = ChangeOptions(
            project, yes, commit, dry_run, diff, sys.stdout if as_json else None
        )
        with redirect_stdout(sys.stderr if as_json else sys.stdout):
            return command(**words, options=options)

    *own, _ = inspect.signature(run).parameters.values()
    others = inspect.signature(command).parameters.values()
    parameters = [*(other for other in others if other.name != "options"), *own]
    update_wrapper(run, command)
    shown: Any = run  # typer reads options from the signature
    shown.__signature__ = inspect.Signature(parameters)
    return run
