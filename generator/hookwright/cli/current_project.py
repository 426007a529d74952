"""Open the project for a command, with the options and the names of records that it takes."""

import inspect
import sys
from collections.abc import Callable, Collection
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import update_wrapper
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from hookwright.cli.options import HERE, AsJson, Commits, InProject, Yes
from hookwright.cli.terminal import print_note
from hookwright.project.current import find_current, format_several, list_installed
from hookwright.project.reader import ANSWERS, Project, holds_project, open_project, read_project
from hookwright.project.record_changes import has_record, list_names
from hookwright.template.store import is_known, remember
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.terminal import agree
from hookwright_console.text import shorten, shorten_home

NOTHING = "no hooks are installed: create a project with hookwright setup or hookwright new"


class NoProjectError(RefusedError):
    """No project is in this folder, and none is installed."""

    def __init__(self) -> None:
        super().__init__(f"{NOTHING}, or use --project DIR")


def open_current(folder: Path, names: Collection[str] = (), *, yes: bool = False) -> Project:
    """Return the project that a command is for.

    HERE means the project in this folder, or else the installed project. If several are installed,
    the project that contains a named record is used and reported, or else the user chooses one.
    """
    if current := find_chosen(folder, names, yes=yes):
        return current
    if installed := list_readable():
        every = " and ".join(project.name for project in installed)
        raise RefusedError(f"no record {shorten(*names)} in {every}: hookwright list shows them")
    if folder == HERE and not Path(ANSWERS).exists():
        raise NoProjectError
    return open_project(folder)


def list_readable() -> list[Project]:
    """Return the installed projects, and report those that cannot be opened.

    Raises RefusedError if none can be opened.
    """
    from hookwright.project.status import open_projects

    opened = open_projects()
    faults = [f"{status.project}: {got}" for status, got in opened if isinstance(got, RefusedError)]
    if opened and len(faults) == len(opened):
        raise RefusedError("; ".join(faults))
    print_note(*faults)
    return list_installed(opened)


def open_shown(folder: Path) -> list[Project]:
    """Return the projects for a command to show: like `open_current`, but all installed ones."""
    installed = list_readable() if folder == HERE and not holds_project(Path.cwd()) else []
    return installed or [open_current(folder)]


def agree_to_template(project: Project, *, yes: bool) -> None:
    if not is_known(project.source):
        agree(f"Fetch the template of {project.name} from {shorten(project.source)}?", yes=yes)
        remember(project.source)


def find_chosen(folder: Path, names: Collection[str] = (), *, yes: bool = False) -> Project | None:
    """Return the result of `open_current`, or None if no project is found or has the records."""
    if folder != HERE:
        return open_project(folder)
    if holds_project(Path.cwd()):
        return open_project(Path.cwd())
    from hookwright.project.status import is_gone, open_projects  # slow to import

    opened = open_projects()
    for status, project in opened:
        if isinstance(project, RefusedError) and not is_gone(Path(status.folder or "")):
            if not names:  # it may be the one that is meant
                raise project
            print_note(f"{status.project}: {project}")
    installed = every = list_installed(opened)
    if len(every) > 1 and names:
        installed = [
            project for project in every if any(has_record(project, name) for name in names)
        ]
    current = choose_from(installed, yes=yes) if len(installed) > 1 else next(iter(installed), None)
    if current and len(installed) < len(every):
        print_note(f"the project is {current.name} in {shorten_home(str(current.folder))}")
    return current


def choose_from(installed: list[Project], *, yes: bool) -> Project:
    from hookwright.wizard.dialogue import Dialogue, can_ask

    if yes or not can_ask():
        raise MisusedError(format_several(installed))
    titles = {
        str(project.folder): f"{project.name} ({shorten_home(str(project.folder))})"
        for project in installed
    }
    chosen = Dialogue().ask_choice("Which project?", titles)
    return next(project for project in installed if str(project.folder) == chosen)


def choose_installed_folder(folder: Path, *, yes: bool) -> Path | None:
    """Return the folder to uninstall: the named folder, the one installed here, or the only one.

    Returns None if no folder is named and nothing is installed.
    """
    from hookwright.project.status import name_installed

    if folder != HERE or name_installed(Path.cwd()):
        return folder
    if current := find_chosen(folder, yes=yes):
        return current.folder
    list_readable()
    return None


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

    def open(self, name: str = "") -> Project:
        """Return the project to change, as `open_current`; ask before using a new template."""
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
