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


def look(project: Project, *options: str) -> tuple[changes.Changes, list[files.Fault]]:
    files.read_file.cache_clear()
    command = name_command("install", project)
    try:
        return main.look(main.parse_options([*options]), project.folder, command)
    except files.InstallError as refused:
        return {}, [refused.fault]
    except OSError as error:
        return {}, [main.describe_error(error)]


def name_command(verb: str, project: Project) -> str:
    """Return the command that does something with a project from the current folder."""
    here = project.folder.resolve() == Path.cwd()
    return f"hookwright {verb}" + ("" if here else f" --project {shlex.quote(str(project.folder))}")
