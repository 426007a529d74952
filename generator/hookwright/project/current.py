"""Find the project for a command: the one in this folder, or else the only installed one."""

import os
from collections.abc import Sequence
from pathlib import Path

from hookwright.project.reader import Project, holds_project, open_project
from hookwright.project.unfinished import finish_change
from hookwright_console.errors import MisusedError, RefusedError

NAME = "my-hooks"  # default name of a project in the home folder


def find_current() -> Project | None:
    """Return the project in this folder, or else the only installed one, or None."""
    if holds_project(Path.cwd()):
        return open_project(Path.cwd())
    installed = list_installed()
    return installed[0] if len(installed) == 1 else None


def find_project(folder: Path | None) -> Project | None:
    """Return the project to use, or None.

    `folder` is the folder named by the user. If None, the project is the one in this folder, or
    else the only installed one, or else the one at the default place for new projects. Raises
    MisusedError if several are installed.
    """
    finish_change(find_project_place(folder))
    if folder and not is_free(folder):
        return open_project(folder)
    if folder:
        return None
    if current := find_current():
        return current
    installed, place = list_installed(), find_project_place(None)
    if installed and all(project.folder.resolve() != place.resolve() for project in installed):
        raise MisusedError(format_several(installed))
    # A project at the default place may remain after its last database was removed.
    return open_project(place) if holds_project(place) else None


def is_free(folder: Path) -> bool:
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def find_project_place(folder: Path | None) -> Path:
    """Return the absolute path, without `..`, of the folder named by the user, or the default."""
    return Path(os.path.abspath(folder)) if folder else Path.home() / NAME  # noqa: PTH100


def list_installed(
    opened: Sequence[tuple[object, Project | RefusedError]] | None = None,
) -> list[Project]:
    """Return the installed projects that can be opened; `opened` is from `open_projects`."""
    # Imported here, because a command inside a project does not need it.
    from hookwright.project.status import open_projects

    opened = open_projects() if opened is None else opened
    found = (project for _, project in opened if isinstance(project, Project))
    return [open_project(project.folder) for project in found]


def format_several(installed: list[Project]) -> str:
    names = " and ".join(f"{project.name} ({project.folder})" for project in installed)
    return f"{names} are installed: choose one with --project DIR"
