"""Open the project that a command is for."""

from pathlib import Path

from hookwright.cli.options import HERE
from hookwright.cli.terminal import say
from hookwright.project.current import find_current, list_installed, word_several
from hookwright.project.reader import Project, open_project
from hookwright_console.errors import RefusedError


def open_current(folder: Path) -> Project:
    """Return the project that a command is for, and say which where it is not the one here.

    Args:
        folder: The one that the user names; HERE for the one here, or else the only one that is
            installed.

    Raises:
        RefusedError: No project is in the named folder; or none is here, and none or several are
            installed.

    """
    if folder != HERE:
        return open_project(folder)
    current = find_current()
    if current:
        tell_elsewhere(current)
    if not current and (installed := list_installed()):
        raise RefusedError(word_several(installed))
    return current or open_project(folder)


def find_installed_folder(folder: Path) -> Path:
    """Return the folder of the project to uninstall, and say which where it is not the one here.

    Args:
        folder: The one that the user names; HERE for the current one if a project is in it or was
            installed from it, or else that of the only one that is installed.

    """
    from hookwright.project.installed_folder import find_installed

    if folder != HERE or find_installed(Path.cwd()) or not (current := find_current()):
        return folder
    tell_elsewhere(current)
    return current.folder


def tell_elsewhere(project: Project) -> None:
    """Say which project it is if it is not the one here."""
    if project.folder != Path.cwd():
        from hookwright.cli.installation import shorten_home

        say(f"the project is {project.name} in {shorten_home(str(project.folder))}")
