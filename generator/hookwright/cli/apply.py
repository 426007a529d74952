"""Show a planned change, ask, apply it, and update the installed hooks."""

import shlex
from collections.abc import Mapping

from hookwright.cli.change_display import export_change, show_change
from hookwright.cli.options import ChangeOptions
from hookwright.cli.terminal import agree, say, show_diff
from hookwright.project.change import ProjectChange, apply_change
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import is_installed_from, run_own_installer
from hookwright.project.reader import Project
from hookwright_console.terminal import dump, print_line

EMPTY: Mapping[str, object] = {"records": [], "answers": [], "files": []}


def apply(change: ProjectChange, message: str, options: ChangeOptions) -> int:
    """Show a change, ask, and apply it.

    Args:
        change: The change.
        message: What it does, such as "Add the database gitlab"; also the message of the commit.
        options: How to show, confirm and apply it.

    Returns:
        The exit code.

    Raises:
        ReportedError: The user says no.
        RefusedError: It cannot be applied.

    """
    if not change.files:
        return end_unchanged(options, message)
    if options.report is None or options.asks:
        if options.diff:
            show_diff(change.diff())
        else:
            show_change(change)
    exported = export_change(change) if options.report else EMPTY
    if options.dry_run:
        print_line(f"{message}: dry run, nothing changed")
        return report(options, message, exported)
    agree(f"{message}, as above?", yes=options.yes)
    is_current = is_installed_from(change.project)
    apply_change(change, message, commit=options.commit)
    committed = options.commit and change.in_git
    print_line(f"{message}: done" + (", and committed" if committed else ""))
    installed = update_installed(change.project, is_current=is_current)
    report(options, message, exported, applied=True, committed=committed, installed=installed)
    return 0 if all(installed.values()) else 1


def end_unchanged(options: ChangeOptions, message: str) -> int:
    """Say that nothing changes; return the exit code."""
    print_line("nothing changes")
    return report(options, message)


def report(
    options: ChangeOptions,
    message: str,
    exported: Mapping[str, object] = EMPTY,
    *,
    applied: bool = False,
    committed: bool = False,
    installed: dict[str, bool] | None = None,
) -> int:
    """Print what changed as JSON if the user wants that; return 0."""
    if options.report:
        row = {"message": message, **exported, "applied": applied, "committed": committed}
        row["installed"] = installed or {}
        print(dump(row, indent=2), file=options.report)
    return 0


def update_installed(project: Project, *, is_current: bool) -> dict[str, bool]:
    """Install a project's hooks again wherever they are installed.

    Args:
        project: The project.
        is_current: Whether the installed hooks come from this folder, not a namesake.

    Returns:
        Whether that worked, by scope.

    """
    done: dict[str, bool] = {}
    for scope in find_scopes(project):
        if not is_current:
            way = f"python3 {shlex.quote(str(project.folder / 'install.py'))} --scope {scope}"
            say(f"{project.name} was installed from another folder: to replace it, run {way}")
            return {scope: False}
        ran = run_own_installer(project, "--scope", scope)
        for line in ran.lines:
            (say if ran.code else print_line)(line)
        done[scope] = not ran.code
    return done
