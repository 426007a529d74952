"""Install a project with the bundled installer, because the project's own may be untrusted."""

from itertools import chain
from typing import Any

from hookwright.installer import changes, client, files, main
from hookwright.installer.installation import Installation
from hookwright.project.installer import find_lost_folder, find_scopes, find_sole_package
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError


def run_own_installer(project: Project, *options: str) -> main.Outcome:
    """Install or uninstall a project from the current folder, with the options of install.py."""
    files.read_file.cache_clear()
    parsed, command = main.parse_options([*options]), project.name_command("install")
    packages = {name: find_sole_package(agent, project) for name, agent in client.CLIENTS.items()}
    there = {name: package for name, package in packages.items() if package}
    completed = main.run(parsed, project.folder, command, there)
    if completed.is_refused or parsed.uninstall or {*parsed.client} - {"all"}:
        return completed
    left = chain.from_iterable(map(find_leftover, list_installations(project)))
    return completed._replace(faults=[*completed.faults, *left])


def list_installations(project: Project) -> list[Installation]:
    command, here = project.name_command("install"), project.folder
    return [
        Installation(here, agent.find_config_folder(), scope, program=command, client=agent)
        for agent in client.list_installed(project.name)
        for scope in (find_scopes(project, agent) or [*agent.settings])[:1]
    ]


def find_leftover(installation: Installation) -> list[files.Fault]:
    """Return a message if a client still has hooks that the answers no longer name."""
    agent, project = installation.client, installation.project
    is_ours = agent.has_record(installation.name) and not installation.find_rival()
    if not is_ours or agent in client.list_rendered(project):
        return []
    verb = installation.program.replace("hookwright install", "hookwright uninstall", 1)
    scope = "" if installation.scope == "user" else f" --scope {installation.scope}"
    fix = f"run {verb}{scope} --client {agent.name}"
    return [files.Fault(None, f"{agent.name}: no longer in the answers", fix)]


def list_left_out(project: Project, names: list[str], scope: str) -> list[str]:
    """Return the reasons why some of the requested clients are skipped, one per line."""
    rendered = client.list_rendered(project.folder)
    asked = [
        other.name for other in client.CLIENTS.values() if other.name in names or "all" in names
    ]
    asked = asked if names else [other.name for other in rendered]
    lines = []
    for other in client.CLIENTS.values() if len(asked) > 1 else ():  # a single client fails instead
        why = ""
        if other.name not in asked:
            continue
        package = find_sole_package(other, project)
        if package:
            why = f"it has the project as {package}"
        elif not names:
            continue
        elif other not in rendered:
            add = project.name_command(f"add client {other.name}")
            why = f"the project has no hooks for it: run {add}"
        elif other.name not in names and not other.is_found():
            why = find_lost_folder(other) or f"it is not here: name it with --client {other.name}"
        elif scope not in other.settings:
            why = f"it has no {scope} settings: use --scope {' or '.join(other.settings)}"
        lines += [f"{other.title} gets nothing: {why}"] if why else []
    return lines


def plan_installation(
    project: Project, *options: str
) -> tuple[list[dict[str, Any]], list[files.Fault]]:
    """Return the changes that the bundled install.py would make, without making them.

    Also returns the installer's faults, which would exclude some of several clients.
    """
    found = run_own_installer(project, *options, "--dry-run")
    planned = [
        {
            "file": str(path),
            "does": changes.name_change(path, content),
            "patch": changes.write_patch(path, content),
        }
        for path, content in found.pending.items()
    ]
    if found.faults and not planned:
        raise RefusedError("; ".join(map(str, found.faults)))
    return planned, found.faults
