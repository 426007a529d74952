"""Run the bundled install.py on a project, whose own install.py may be a stranger's."""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from hookwright.project.reader import Project
from hookwright.project.template_modules import files
from hookwright.project.template_store import find_template
from hookwright_console.errors import RefusedError

CODE = """
import pathlib, sys
sys.path.insert(0, sys.argv.pop(1))
import install
sys.exit(install.main(pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)))
"""


@dataclass(frozen=True)
class InstallerRun:
    """How install.py ended: its exit code, and the lines that it printed."""

    code: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PlannedChange:
    """What install.py would do to a file.

    Args:
        file: The file.
        does: What becomes of it: add, change or remove.
        backup: The file that keeps its old content, or None.
        patch: What changes in its lines.

    """

    file: str
    does: str
    backup: str | None
    patch: str


def run_own_installer(project: Project, *options: str) -> InstallerRun:
    """Run the bundled install.py on a project, in the current folder.

    Args:
        project: The project.
        options: The options of install.py, such as --check.

    """
    ended = start_installer(project, *options)
    if "Traceback" in ended.stderr:
        return InstallerRun(1, (str(describe_failure(ended.stderr)),))
    return InstallerRun(ended.returncode, tuple((ended.stdout + ended.stderr).splitlines()))


def check_installation(project: Project, scope: str, client: str = "claude") -> list[files.Fault]:
    """Return what is wrong with the installation of a project in a scope.

    Args:
        project: The project.
        scope: The settings: user, or the current folder's project or local ones.
        client: The agent that it is installed in.

    """
    ended = start_installer(project, "--check", "--json", "--scope", scope, "--client", client)
    try:
        records = json.loads(ended.stdout)
    except ValueError:
        return [describe_failure(ended.stderr)]
    return read_faults(records)


def plan_installation(
    project: Project, *options: str
) -> tuple[list[PlannedChange], list[files.Fault]]:
    """Return what the bundled install.py would change, without changing it.

    Args:
        project: The project.
        options: The options of install.py, such as --uninstall.

    Returns:
        The changes, and the faults for which it would leave some of several clients out.

    Raises:
        RefusedError: It would refuse, and change nothing.

    """
    ended = start_installer(project, "--dry-run", "--json", *options)
    try:
        records = json.loads(ended.stdout)
    except ValueError:
        raise RefusedError(str(describe_failure(ended.stderr))) from None
    changes = [PlannedChange(**one) for one in records if "does" in one]
    faults = read_faults([one for one in records if "does" not in one])
    if faults and not changes:
        raise RefusedError("; ".join(map(str, faults)))
    return changes, faults


def read_faults(records: list[dict[str, str]]) -> list[files.Fault]:
    return [
        files.Fault(Path(one["file"]) if one["file"] else None, one["problem"], one["fix"])
        for one in records
    ]


def name_command(verb: str, project: Project) -> str:
    """Return the command that does something with a project from the current folder."""
    here = project.folder.resolve() == Path.cwd()
    return f"hookwright {verb}" + ("" if here else f" --project {shlex.quote(str(project.folder))}")


def start_installer(project: Project, *options: str) -> "subprocess.CompletedProcess[str]":
    command = name_command("install", project)
    words = [str(find_template() / "template"), str(project.folder), command, *options]
    return subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-I", "-B", "-c", CODE, *words],
        check=False,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


def describe_failure(errors: str) -> files.Fault:
    last = (errors.splitlines() or ["no output"])[-1]
    return files.Fault(None, f"install.py failed ({last})", "please report this")
