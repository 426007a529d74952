"""Open the project that a command is for."""

from pathlib import Path

from hookwright.cli.options import HERE
from hookwright.cli.terminal import agree, say
from hookwright.project.current import find_current, format_several, list_installed
from hookwright.project.reader import Project, open_project
from hookwright.template.store import is_known, remember
from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten


def open_current(folder: Path) -> Project:
    """Return the project that a command is for, and say which where it is not the one here.

    HERE is the one in this folder, or else the only one that is installed.
    """
    if current := find_chosen(folder):
        return current
    if installed := list_installed():
        raise RefusedError(format_several(installed))
    return open_project(folder)


def open_to_change(folder: Path, *, yes: bool) -> Project:
    """Return the project that a command changes; ask about a new address of its template."""
    opened = open_current(folder)
    agree_to_template(opened, yes=yes)
    return opened


def agree_to_template(project: Project, *, yes: bool) -> None:
    if not is_known(project.source):
        agree(f"Fetch the template of {project.name} from {shorten(project.source)}?", yes=yes)
        remember(project.source)


def find_chosen(folder: Path) -> Project | None:
    """Return what `open_current` does; None where no project is here, and none or several are."""
    if folder != HERE:
        return open_project(folder)
    current = find_current()
    if current and current.folder != Path.cwd():
        from hookwright_console.text import shorten_home

        say(f"the project is {current.name} in {shorten_home(str(current.folder))}")
    return current


def choose_installed_folder(folder: Path) -> Path:
    """Return the folder to uninstall: one named, one installed from here, or the only one."""
    from hookwright.project.status import name_installed

    if folder != HERE or name_installed(Path.cwd()):
        return folder
    current = find_chosen(folder)
    return current.folder if current else folder
