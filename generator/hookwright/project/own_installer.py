"""Install a project by the bundled installer; the project's own may be a stranger's."""

import shlex
from pathlib import Path
from typing import Any

from hookwright.installer import changes, files, main
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError


def run_own_installer(project: Project, *options: str) -> main.Outcome:
    """Install or uninstall a project in the current folder, by the options of install.py."""
    files.read_file.cache_clear()
    command = name_command("install", project)
    return main.run(main.parse_options([*options]), project.folder, command)


def check_installation(project: Project, scope: str, client: str = "claude") -> list[files.Fault]:
    """Return what is wrong with the installation of a project in a scope."""
    options = ("--check", "--scope", scope, "--client", client)
    return run_own_installer(project, *options).faults


def plan_installation(
    project: Project, *options: str
) -> tuple[list[dict[str, Any]], list[files.Fault]]:
    """Return what the bundled install.py would change, without changing it.

    The changes are as `install.py --dry-run --json` has them; for the faults it would leave some of
    several clients out.
    """
    found = run_own_installer(project, *options, "--dry-run")
    planned = changes.describe_changes(found.pending)
    if found.faults and not planned:
        raise RefusedError("; ".join(map(str, found.faults)))
    return planned, found.faults


def name_command(verb: str, project: Project) -> str:
    """Return the command that does something with a project from the current folder."""
    here = project.folder.resolve() == Path.cwd()
    return f"hookwright {verb}" + ("" if here else f" --project {shlex.quote(str(project.folder))}")
