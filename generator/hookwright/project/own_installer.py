"""Install a project with the bundled installer, because the project's own may be untrusted."""

from itertools import chain
from typing import Any

from hookwright.installer import client, files, main
from hookwright.installer.installation import Installation
from hookwright.project.installer import find_lost_folder, find_scopes, find_sole_package
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError


def run_own_installer(project: Project, *options: str) -> main.Outcome:
    """Install or uninstall a project from the current folder, with the options of install.py."""
    files.read_file.cache_clear()
    parsed, command = main.parse_options([*options]), project.name_command("install")
    names = parsed.client
    packaged = {} if parsed.uninstall else find_packaged(project, names)
    faults = []
    if packaged:
        chosen = client.select_clients(project.folder, names)
        parsed.client = [agent.name for agent in chosen if agent.name not in packaged]
        faults = [packaged[name] for name in packaged if name in names or not parsed.client]
        if not parsed.client:
            return main.Outcome([], faults, is_refused=bool(faults))
    completed = main.run(parsed, project.folder, command)
    if completed.is_refused or parsed.uninstall or {*names} - {"all"}:
        return completed._replace(faults=[*faults, *completed.faults])
    left = chain.from_iterable(map(find_leftover, list_installations(project)))
    return completed._replace(faults=[*faults, *completed.faults, *left])


def find_packaged(project: Project, names: list[str]) -> dict[str, files.Fault]:
    """Return the faults of clients that have the project as a package: two copies always deny."""
    try:
        chosen = client.select_clients(project.folder, names)
    except files.Fault:  # the installer reports it
        return {}
    fix = "nothing is left to do, or remove that first"
    found = {}
    for agent in chosen:
        if package := find_sole_package(agent, project):
            problem = f"{agent.title} has {project.name} as {package}"
            found[agent.name] = files.Fault(None, problem, fix)
    return found


def list_installations(project: Project) -> list[Installation]:
    command, here = project.name_command("install"), project.folder
    return [
        Installation(here, agent, scope, command)
        for agent in client.list_installed(project.name)
        for scope in (find_scopes(project, agent) or [*agent.settings])[:1]
    ]


def find_leftover(installation: Installation) -> list[files.Fault]:
    """Return a message if a client still has hooks that the answers no longer name."""
    agent, project = installation.client, installation.project
    is_ours = agent.has_record(installation.name) and not installation.find_rivalry()
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
            "does": files.name_change(path, content),
            "patch": files.write_patch(path, content),
        }
        for path, content in found.pending.items()
    ]
    if found.faults and not planned:
        raise RefusedError("; ".join(map(str, found.faults)))
    return planned, found.faults
