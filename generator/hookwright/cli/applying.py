"""Show what a change makes of a project, ask, make it, and bring what is installed up to date."""

from hookwright.changing import Change, make
from hookwright.cli.terminal import agree, say, show_diff
from hookwright.installing import find_scopes, run_installer
from hookwright.project import Project
from hookwright.refusal import RefusedError
from lesson_search.cli.terminal import tell


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
        RefusedByUserError: The user says no.
        RefusedError: It cannot be made.

    """
    if not change.files:
        tell("nothing changes")
        return 0
    show_diff(change.diff())
    agree(f"{message}, as above?", yes=yes)
    make(change, message, commit=commit)
    tell(f"{message}: done" + (", and committed" if commit and change.in_git else ""))
    return bring_up_to_date(change.project)


def bring_up_to_date(project: Project) -> int:
    """Install a project's hooks anew wherever they are installed; return the exit code."""
    code = 0
    for scope in find_scopes(project):
        try:
            ran = run_installer(project, "--scope", scope)
        except RefusedError as refused:
            say(f"what is installed is not up to date: {refused}")
            return 1
        for line in ran.lines:
            (say if ran.code else tell)(line)
        code = max(code, ran.code)
    return code
