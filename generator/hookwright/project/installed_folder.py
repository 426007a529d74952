"""Open a project that is to be uninstalled, also one whose folder is gone."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hookwright.project.reader import Project, open_project, read_project
from hookwright.project.render import render
from hookwright.project.status import is_gone, list_projects
from hookwright.project.template_store import find_template
from hookwright_console.errors import RefusedError


@contextmanager
def open_installed(folder: Path) -> Iterator[Project]:
    """Yield the project in a folder, or a stand-in for one that was installed from there.

    What is installed is known by the project's name, so that a stand-in of that name, in a
    temporary folder, can be uninstalled instead.

    Args:
        folder: The folder, which may be gone.

    Raises:
        RefusedError: It is not a project, and none was installed from it.

    """
    if not is_gone(folder):
        yield open_project(folder)
        return
    name = find_installed(folder)
    if not name:
        where = folder.absolute()
        raise RefusedError(
            f"nothing of {where} is installed, and no project is there: see hookwright status "
            "--all, and name the folder with --project"
        )
    with tempfile.TemporaryDirectory(prefix="hookwright-") as place:
        destination = Path(place, name)
        answers = {"project_name": name, "hooks": ["lesson_search"]}  # which needs no record
        render(str(find_template()), destination, answers)
        yield read_project(destination)


def find_installed(folder: Path) -> str:
    """Return the name of the project that was installed from a folder, or ""."""
    place = str(folder.resolve())
    return next((one.project for one in list_projects() if one.folder == place), "")
