"""Run the bundled install.py on a project, whose own install.py may be a stranger's."""

import io
import shlex
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.project.reader import Project
from hookwright.template.modules import changes, files, install
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from installer.changes import Changes


@dataclass(frozen=True)
class InstallerRun:
    """How install.py ended: its exit code, and the lines that it printed."""

    code: int
    lines: tuple[str, ...]


def run_own_installer(project: Project, *options: str) -> InstallerRun:
    """Run the bundled install.py on a project, in the current folder."""
    output, errors = io.StringIO(), io.StringIO()
    command = name_command("install", project)
    with redirect_stdout(output), redirect_stderr(errors):
        code = install.main(project.folder, command, [*options])
    return InstallerRun(code, tuple((output.getvalue() + errors.getvalue()).splitlines()))


def check_installation(project: Project, scope: str, client: str = "claude") -> list[files.Fault]:
    """Return what is wrong with the installation of a project in a scope."""
    return look(project, "--check", "--scope", scope, "--client", client)[1]


def plan_installation(
    project: Project, *options: str
) -> tuple[list[dict[str, Any]], list[files.Fault]]:
    """Return what the bundled install.py would change, without changing it.

    The changes are as `install.py --dry-run --json` has them; for the faults it would leave some of
    several clients out.
    """
    pending, faults = look(project, *options)
    planned = changes.describe_changes(pending)
    if faults and not planned:
        raise RefusedError("; ".join(map(str, faults)))
    return planned, faults


def look(project: Project, *options: str) -> "tuple[Changes, list[files.Fault]]":
    files.read_file.cache_clear()
    command = name_command("install", project)
    try:
        return install.look(install.parse_options([*options]), project.folder, command)
    except files.InstallError as refused:
        return {}, [refused.fault]
    except OSError as error:
        return {}, [install.describe_error(error)]


def name_command(verb: str, project: Project) -> str:
    """Return the command that does something with a project from the current folder."""
    here = project.folder.resolve() == Path.cwd()
    return f"hookwright {verb}" + ("" if here else f" --project {shlex.quote(str(project.folder))}")
