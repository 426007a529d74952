"""Create a project: render it into a free folder, and commit it."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.project.change import list_files, list_runnable
from hookwright.project.git import (
    check_identity,
    check_idle,
    find_top,
    has_git,
    is_ignored,
    run_git,
)
from hookwright.project.render import render
from hookwright_console.atomic_files import replace_files
from hookwright_console.errors import RefusedError


def check_free(destination: Path) -> None:
    """Check that a new project can be created in a folder.

    Raises:
        RefusedError: The folder has something in it, or cannot be written to.

    """
    place = destination
    while not os.path.lexists(place):
        place = place.parent
    if not place.is_dir():
        raise RefusedError(f"{place} is not a folder: choose another")
    if not os.access(place, os.W_OK | os.X_OK):
        raise RefusedError(f"cannot write to {place}: choose another folder")
    if place == destination and any(place.iterdir()):
        raise RefusedError(f"{destination} is not empty: choose an empty or a new folder")


def create_project(destination: Path, answers: Mapping[str, Any], source: str) -> None:
    """Render a new project.

    Args:
        destination: Where it goes, a folder that is empty or not there yet.
        answers: The answers to the questions.
        source: The template.

    Raises:
        RefusedError: The folder is not free, or an answer is refused.

    """
    check_free(destination)
    with tempfile.TemporaryDirectory(prefix="hookwright-") as name:
        rendered = Path(name, destination.name)  # the project is called like its folder
        render(source, rendered, answers)
        names = list_files(rendered)
        files = {name: (rendered / name).read_bytes() for name in names}
        replace_files(destination, files, list_runnable(rendered, names))


def commit_project(folder: Path, message: str) -> bool:
    """Commit a new project, in a new repository unless it is in one already.

    Returns:
        Whether git is installed, so that it could commit.

    Raises:
        RefusedError: Git refuses.

    """
    if not has_git():
        return False
    paths = [f":(literal){name}" for name in list_files(folder)]
    if not find_top(folder) or is_ignored(folder):
        run_git(folder, "init", "--quiet")
    check_identity(folder)
    check_idle(folder)
    run_git(folder, "add", "--force", "--", *paths)  # also what the user ignores
    run_git(folder, "commit", "--quiet", "-m", message, "--", *paths)
    return True
