"""Create a project: render it into an unused folder, and commit it."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.git import has_git
from hookwright.project.change import COMMIT, list_files
from hookwright.project.reader import read_project
from hookwright.project.unfinished import NotedChange, noting
from hookwright.template.render import export_version, render
from hookwright.template.store import find_newest, has_commit
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import show_progress


def check_free(destination: Path) -> None:
    place = destination
    while not os.path.lexists(place):
        place = place.parent
    if not place.is_dir():
        raise RefusedError(f"{place} is not a folder: choose another")
    if not os.access(place, os.W_OK | os.X_OK):
        raise RefusedError(f"cannot write to {place}: choose another folder")
    if place == destination and any(place.iterdir()):
        raise RefusedError(f"{destination} is not empty: choose an empty or a new folder")


def create_project(
    destination: Path, answers: Mapping[str, Any], source: str, *, commits: bool = False
) -> None:
    """Render a new project; with `commits`, it is committed later if this process is killed."""
    check_free(destination)
    with tempfile.TemporaryDirectory(prefix="hookwright-") as name:
        rendered = Path(name, destination.name)  # the project is named after its folder
        with show_progress(f"Rendering {destination.name}", always=True):
            exported = export_version(source, find_newest(source), Path(name, ".template"))
            render(source, rendered, answers, exported=exported)
        version = read_project(rendered).version
        if version and Path(source).is_absolute() and not has_commit(source, version):
            raise RefusedError(
                f"{source} has uncommitted changes, which no project can be updated from: "
                "commit them first"
            )
        names = list_files(rendered)
        files = {name: (rendered / name).read_bytes() for name in names}
        message = f"Render {destination.name}" if commits else ""
        made = NotedChange(destination, files, message, is_new=True)
        with noting(made, stays=commits):
            made.write(names)


def commit_project(folder: Path) -> str:
    """Commit a new project, creating a repository if necessary; return why that failed, or ""."""
    if not has_git():
        return "git is missing: to update the project later, install git and run git init there"
    message = f"Render {read_project(folder).name}"
    files = {name: (folder / name).read_bytes() for name in list_files(folder)}
    made = NotedChange(folder, files, message, is_new=True)
    try:
        with noting(made):
            made.commit()
    except RefusedError as refused:
        return f"the project is not committed: {refused}; then run {COMMIT} in {folder}"
    return ""
