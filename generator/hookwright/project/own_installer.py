"""Run our own install.py on a project that may be a stranger's: of that it only reads files."""

import subprocess
import sys

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.project.installer import Ran, peek
from hookwright.project.reader import Project
from hookwright.project.template_store import find_template

CODE = """
import pathlib, sys
sys.path.insert(0, sys.argv.pop(1))
import install
install.PROJECT = pathlib.Path(sys.argv.pop(1))
sys.exit(install.main())
"""


def run_own_installer(project: Project, *options: str) -> Ran:
    """Run the install.py of our template on a project, in the current folder.

    Args:
        project: The project.
        options: Its options, such as --check.

    """
    words = [str(find_template() / "template"), str(project.folder), *options]
    ended = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-I", "-B", "-c", CODE, *words],
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if "Traceback" in ended.stderr:
        return Ran(1, (f"{project.folder} is not as it was rendered: take it back from git",))
    return Ran(ended.returncode, tuple((ended.stdout + ended.stderr).splitlines()))


def is_installed_from(project: Project) -> bool:
    """Tell whether what is installed under the name of a project holds what its folder does."""
    mark = f"rendered by Hookwright for {project.name}.".encode()
    found = [(path, peek(path)) for path in (find_config_folder() / "hooks").glob("*/*.py")]
    copies = [(project.find_hook(path.stem), content) for path, content in found if mark in content]
    return all(peek(hook) == content for hook, content in copies)
