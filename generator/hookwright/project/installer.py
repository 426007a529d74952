"""Run the install.py of a project, which knows how to install its hooks."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.project.reader import Project
from hookwright.project.template_modules import files, installation
from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular


@dataclass(frozen=True)
class Ran:
    """How install.py ended: its exit code, and the lines that it printed."""

    code: int
    lines: tuple[str, ...]


def find_scopes(project: Project) -> list[str]:
    """Return the scopes that a project's hooks are installed in: the user's, and this folder's."""
    return installation.find_scopes(find_config_folder(), project.name)


def is_installed_from(project: Project) -> bool:
    """Tell whether the installed hooks with the name of a project come from its folder."""
    folder = installation.find_folder(find_config_folder(), project.name)
    return folder == project.folder.resolve()


def find_rivalry(project: Project) -> str:
    """Return that another folder's project of the same name is installed, and what to do, or ""."""
    own = installation.Installation(project.folder, find_config_folder(), "user")
    try:
        return str(own.find_rivalry() or "")
    except files.InstallError:  # it is not as it was rendered
        return ""


def peek(path: Path) -> bytes:
    """Return the content of a file; b"" if it cannot be read."""
    try:
        return read_regular(path)
    except OSError:
        return b""


def run_installer(project: Project, *options: str) -> Ran:
    """Run install.py of a project in the current folder.

    Args:
        project: The project.
        options: The options of install.py, such as --check.

    Raises:
        RefusedError: install.py is missing.

    """
    script = project.folder / "install.py"
    if not script.exists():
        raise RefusedError(f"{script} is missing: restore it from git")
    # install.py imports what is beside it.
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"}
    ended = subprocess.run(  # noqa: S603 - the project's own
        [sys.executable, str(script), *options],
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return Ran(ended.returncode, tuple((ended.stdout + ended.stderr).splitlines()))
