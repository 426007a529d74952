"""Run the bundled install.py on a project, whose own install.py may be a stranger's."""

import json
import subprocess
import sys
from pathlib import Path

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.project.installer import Ran, peek
from hookwright.project.reader import Project
from hookwright.project.template_modules import files, installation
from hookwright.project.template_store import find_template

CODE = """
import pathlib, sys
sys.path.insert(0, sys.argv.pop(1))
import install
sys.exit(install.main(pathlib.Path(sys.argv.pop(1))))
"""


def run_own_installer(project: Project, *options: str) -> Ran:
    """Run the bundled install.py on a project, in the current folder.

    Args:
        project: The project.
        options: The options of install.py, such as --check.

    """
    ended = start_installer(project, *options)
    if "Traceback" in ended.stderr:
        return Ran(1, (str(describe_damage(project)),))
    return Ran(ended.returncode, tuple((ended.stdout + ended.stderr).splitlines()))


def check_installation(project: Project, scope: str) -> list[files.Fault]:
    """Return what is wrong with the installation of a project in a scope.

    Args:
        project: The project.
        scope: The settings: user, or the current folder's project or local ones.

    """
    ended = start_installer(project, "--check", "--json", "--scope", scope)
    try:
        records = json.loads(ended.stdout)
    except ValueError:
        return [describe_damage(project)]
    return [
        files.Fault(Path(one["file"]) if one["file"] else None, one["problem"], one["fix"])
        for one in records
    ]


def start_installer(project: Project, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run the bundled install.py on a project, and return how it ended."""
    words = [str(find_template() / "template"), str(project.folder), *options]
    return subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-I", "-B", "-c", CODE, *words],
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


def describe_damage(project: Project) -> files.Fault:
    """Return the fault of a project that install.py cannot read."""
    return files.Fault(project.folder, "is not as it was rendered", "restore it from git")


def is_installed_from(project: Project) -> bool:
    """Tell whether the installed hooks with the name of a project equal those in its folder."""
    installed = installation.list_installed(find_config_folder())
    return all(
        hook.content == peek(project.find_hook(hook.path.stem))
        for hook in installed
        if hook.project == project.name
    )
