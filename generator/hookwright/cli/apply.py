"""Show what a change makes of a project, ask, make it, and bring what is installed up to date."""

import shlex

from hookwright.cli.terminal import agree, say, show_diff
from hookwright.project.change import Change, make
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import is_installed_from, run_own_installer
from hookwright.project.reader import Project
from hookwright_console.terminal import print_line


def apply(change: Change, message: str, *, yes: bool, commit: bool) -> int:
    """Make a change that the user has seen and agreed to.

    Args:
        change: The change.
        message: What it does, such as "Add the database gitlab"; the commit says so.
        yes: Whether the user agreed beforehand.
        commit: Whether to commit it.

    Returns:
        The exit code.

    Raises:
        ReportedError: The user says no.
        RefusedError: It cannot be made.

    """
    if not change.files:
        print_line("nothing changes")
        return 0
    show_diff(change.diff())
    agree(f"{message}, as above?", yes=yes)
    follows = is_installed_from(change.project)
    make(change, message, commit=commit)
    print_line(f"{message}: done" + (", and committed" if commit and change.in_git else ""))
    return bring_up_to_date(change.project, follows=follows)


def bring_up_to_date(project: Project, *, follows: bool) -> int:
    """Install a project's hooks anew wherever they are installed; return the exit code.

    Args:
        project: The project.
        follows: Whether what was installed before was the project's, and no other's of its name.

    """
    code = 0
    for scope in find_scopes(project):
        if not follows:
            way = f"python3 {shlex.quote(str(project.folder / 'install.py'))} --scope {scope}"
            say(f"what is installed as {project.name} was not of this folder: run {way}, if it is")
            return 1
        ran = run_own_installer(project, "--scope", scope)
        for line in ran.lines:
            (say if ran.code else print_line)(line)
        code = max(code, ran.code)
    return code
