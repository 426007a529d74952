"""Show a planned change, ask, apply it, and update the installed hooks."""

import shlex

from hookwright.cli.terminal import agree, say, show_diff
from hookwright.project.change import ProjectChange, apply_change
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import is_installed_from, run_own_installer
from hookwright.project.reader import Project
from hookwright_console.terminal import print_line


def apply(change: ProjectChange, message: str, *, yes: bool, commit: bool) -> int:
    """Show a change, ask, and apply it.

    Args:
        change: The change.
        message: What it does, such as "Add the database gitlab"; also the message of the commit.
        yes: Whether to apply it without asking.
        commit: Whether to commit it.

    Returns:
        The exit code.

    Raises:
        ReportedError: The user says no.
        RefusedError: It cannot be applied.

    """
    if not change.files:
        print_line("nothing changes")
        return 0
    show_diff(change.diff())
    agree(f"{message}, as above?", yes=yes)
    is_current = is_installed_from(change.project)
    apply_change(change, message, commit=commit)
    print_line(f"{message}: done" + (", and committed" if commit and change.in_git else ""))
    return update_installed(change.project, is_current=is_current)


def update_installed(project: Project, *, is_current: bool) -> int:
    """Install a project's hooks again wherever they are installed; return the exit code.

    Args:
        project: The project.
        is_current: Whether the installed hooks come from this folder, not a namesake.

    """
    code = 0
    for scope in find_scopes(project):
        if not is_current:
            way = f"python3 {shlex.quote(str(project.folder / 'install.py'))} --scope {scope}"
            say(f"{project.name} was installed from another folder: to replace it, run {way}")
            return 1
        ran = run_own_installer(project, "--scope", scope)
        for line in ran.lines:
            (say if ran.code else print_line)(line)
        code = max(code, ran.code)
    return code
