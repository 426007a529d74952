"""Install and check a project with the bundled installer.

The project's own installer may be untrusted.
"""

import shlex
from pathlib import Path
from typing import Any

from hookwright.installer import client, entries, files, main, registry
from hookwright.installer.client import CLAUDE, Client
from hookwright.installer.files import Fault, read_file, read_json
from hookwright.installer.installation import Installation, find_faults
from hookwright.installer.main import describe_error
from hookwright.installer.other_clients import read_interpreter
from hookwright.project.installer import (
    find_lost_folder,
    find_packages,
    find_scopes,
    find_sole_package,
    list_enabled,
    list_plugin_settings,
)
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
        return completed._replace(faults=[*completed.faults, *faults])
    for agent in client.list_installed(project.name):
        for installation in list_installations(project, agent)[:1]:
            faults += find_leftover(installation)
    return completed._replace(faults=[*completed.faults, *faults])


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


def list_installations(project: Project, client: Client, scope: str = "") -> list[Installation]:
    """Return a client's installations in a scope, or in all scopes that have the project."""
    command = project.name_command("install")
    scopes = [scope] if scope else find_scopes(project, client) or ["user"]
    places = [place for place in scopes if place in client.settings]
    return [Installation(project.folder, client, place, command) for place in places]


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
    named = [other for other in client.CLIENTS.values() if {other.name, "all"} & {*names}]
    asked = named or rendered
    lines = []
    for other in asked if len(asked) > 1 else ():  # a single client fails instead
        why = ""
        if package := find_sole_package(other, project):
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


def check_installation(project: Project, scope: str, client: Client = CLAUDE) -> list[Fault]:
    """Return the faults of a project's installation in a scope of a client."""
    read_file.cache_clear()
    try:
        installed = Installation(project.folder, client, scope, project.name_command("install"))
        if leftover := find_leftover(installed):
            return leftover
        if find_sole_package(client, project):
            return []
        faults = find_faults(installed)
        if not installed.find_rivalry():
            faults += [*find_duplicates(project, installed), *find_slow(installed)]
    except (Fault, OSError) as error:
        return [describe_error(error)]
    return faults


def find_slow(installation: Installation) -> list[Fault]:
    if installation.client.plugin:
        return []
    owned = entries.list_ours(installation.read_settings(), installation.names)
    named = [read_interpreter(handler) for _, _, handler in owned if entries.read_command(handler)]
    problems = {python: find_slowness(Path(python)) for python in named if python}
    script = shlex.quote(str(installation.project / "install.py"))
    fix = f"run {script} --scope {installation.scope} with another Python"
    return [
        Fault(installation.settings, f"runs {python}, which {problem}", fix)
        for python, problem in problems.items()
        if problem
    ]


def find_duplicates(project: Project, installation: Installation) -> list[Fault]:
    client, config = installation.client, installation.config
    packages = find_packages(client, project)
    if client.plugin:
        places = [path for path in installation.places if read_file(path)]
        where = " and by ".join([*map(str, places), *packages])
        fault = Fault(None, f"the hooks are duplicated, run by {where}", "keep one")
        return [fault] if places and len([*places, *packages]) > 1 else []
    hooks = list_first_events(installation.wanted)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    others = [Path.cwd() / path for path in registry.CLIENTS[client.name].get("also_reads", ())]
    others += [path for path in list_plugin_settings(client, config) if path.suffix == ".json"]
    for path in dict.fromkeys([*installation.places, *others]):
        settings = read_json(path, has_comments=client.has_comments)
        plugins = [f"the plugin {plugin}" for plugin in list_enabled(settings, installation.name)]
        packages += [plugin for plugin in plugins if plugin not in packages]
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and runs_hook(handler, hook, installation.name):
                    run = entries.read_command(handler) or str(handler["url"])
                    runners[hook].append(f"`{run[-40:]}` in {path}")
    return [
        Fault(None, f"{hook} is duplicated, run by {' and by '.join(found)}", "keep one")
        for hook, own in runners.items()
        if len(found := [*own, *packages]) > 1
    ]


def list_first_events(snippet: Any) -> list[tuple[str, str]]:
    """Return the first event and the name of each hook in the snippet."""
    found: dict[str, str] = {}
    for event, _, handler in entries.list_ours(snippet):
        script = entries.find_script(handler)
        found.setdefault(script.stem.partition("-")[0] if script else "lesson_search", event)
    return [(event, hook) for hook, event in found.items()]


def runs_hook(handler: dict[str, Any], hook: str, project: str) -> bool:
    if hook == "lesson_search" and entries.LESSON_PATH in str(handler.get("url")):
        return entries.find_asking(handler) in (None, project)
    script = entries.find_script(handler)
    # A script without a project's name was copied by hand.
    return script is not None and script.stem in (hook, f"{hook}-{project}")


def find_slowness(python: Path) -> str:
    """Return the reason an interpreter is slow or unusable, or "".

    The interpreter is inspected, not run, because the current folder's settings may be untrusted.
    """
    try:
        real = python.resolve()
        if not real.is_file():
            return "is gone"
        with real.open("rb") as file:
            start = file.read(2)
    except (OSError, RuntimeError, ValueError):  # a symlink loop, or an invalid path
        return "cannot be used"
    if start == b"#!" or not real.name.startswith(("python", "pypy")):
        maker = next((f" of {name}" for name in ("pyenv", "asdf") if f".{name}" in str(python)), "")
        return f"is slow (a shim{maker})"
    if (python.parent.parent / "pyvenv.cfg").exists():
        return "is slow (in a virtual environment)"
    return ""
