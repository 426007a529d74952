"""Find the project that a command is for: the one here, or else the only one that is installed."""

from pathlib import Path

from hookwright.project.reader import Project, holds_project, open_project


def find_current() -> Project | None:
    """Return the project here, or else the only one that is installed, or None."""
    if holds_project(Path.cwd()):
        return open_project(Path.cwd())
    installed = list_installed()
    return installed[0] if len(installed) == 1 else None


def list_installed() -> list[Project]:
    """Return the projects whose hooks are installed, and whose folders are still there."""
    # Which a command in a project does without.
    from hookwright.project.installer import find_installed, find_project_folder

    names = {hook.project for _, hook in find_installed()}
    folders = (find_project_folder(name) for name in sorted(filter(None, names)))
    return [open_project(folder) for folder in folders if folder and holds_project(folder)]


def format_several(installed: list[Project]) -> str:
    names = " and ".join(f"{one.name} ({one.folder})" for one in installed)
    return f"{names} are installed: choose one with --project DIR"
