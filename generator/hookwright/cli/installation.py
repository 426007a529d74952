"""Show what installing or uninstalling changes, ask, and do it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hookwright.cli.options import Scope
from hookwright.cli.terminal import agree, say, show_diff
from hookwright.project.own_installer import PlannedChange, plan_installation, run_own_installer
from hookwright.project.reader import Project
from hookwright_console.terminal import dump, print_line

InScope = Annotated[
    Scope,
    typer.Option(
        help="Whose settings: yours (user), or those of this folder, shared or your own (local)."
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the changes, make none.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show all changed lines.")]


def change_installation(
    project: Project, options: list[str], ask: str | None, *, diff: bool, yes: bool, as_json: bool
) -> int:
    """Show what installing or uninstalling a project changes, ask, and do it.

    Args:
        project: The project.
        options: The options of install.py.
        ask: The question; None to show the changes only.
        diff: Whether to show all changed lines.
        yes: Whether to do it without asking.
        as_json: Whether to print the changes as JSON.

    Returns:
        The exit code.

    Raises:
        RefusedError: It cannot be done.
        ReportedError: The user says no, or there is no terminal to ask at.

    """
    if ask and as_json and not yes:
        raise typer.BadParameter("--json does not ask: add --yes or --dry-run")
    changes = plan_installation(project, *options)
    if not as_json and (diff or not (ask and yes and changes)):
        show_changes(changes, diff=diff)
    if ask and changes:
        agree(ask, yes=yes)
        ran = run_own_installer(project, *options)
        if ran.code or not as_json:
            for line in ran.lines:
                (say if ran.code else print_line)(line)
        if ran.code:
            return ran.code
    if as_json:
        print(dump([asdict(change) for change in changes], indent=2))
    return 0


def show_changes(changes: list[PlannedChange], *, diff: bool) -> None:
    """Print a line for each change, or all changed lines."""
    for change in changes:
        if diff:
            show_diff(change.patch)
        else:
            kept = f", kept as {Path(change.backup).name}" if change.backup else ""
            print_line(f"{change.does:6}  {shorten_home(change.file)}{kept}")
    if not changes:
        print_line("nothing to change")


def shorten_home(path: str) -> str:
    """Return a path with ~ for the home folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(home + "/") else path
