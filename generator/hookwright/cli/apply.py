"""Show a planned change, ask, apply it, and update the installed hooks."""

from pathlib import Path

from hookwright.cli.terminal import agree, say, show_diff
from hookwright.clients.claude.configuration import list_settings
from hookwright.clients.json_objects import read_object
from hookwright.project.change import ProjectChange, apply_change
from hookwright.project.installer import (
    find_rivalry,
    find_scopes,
    is_installed_from,
    word_command,
)
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project
from hookwright.project.template_modules import entries
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
    apply_change(change, message, commit=commit)
    print_line(f"{message}: done" + (", and committed" if commit and change.in_git else ""))
    return update_installed(change.project)


def update_installed(project: Project) -> int:
    """Install a project's hooks again wherever its folder installed them; return the exit code."""
    if not is_installed_from(project):
        if not is_plugin(project):
            missing = f"{project.name} is not installed from here: run {word_command(project)}"
            print_line(find_rivalry(project) or missing)
        return 0
    scopes = find_scopes(project)
    if not scopes:
        command = word_command(project, "local")
        print_line(f"{project.name} is installed for another folder: there, run {command}")
    code = 0
    for scope in scopes:
        ran = run_own_installer(project, "--scope", scope)
        for line in ran.lines:
            (say if ran.code else print_line)(line)
        code = max(code, ran.code)
    return code


def is_plugin(project: Project) -> bool:
    """Tell whether the client runs a project as a plugin."""
    settings = [read_object(path) for _, path in list_settings(Path.cwd())]
    return any(entries.list_plugins(one, project.name) for one in settings)
