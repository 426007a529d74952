"""Find an installation's faults, without changing anything."""

import shlex
import shutil
from pathlib import Path
from typing import Any

from hookwright.installer import entries, registry
from hookwright.installer.client import CLAUDE, Client
from hookwright.installer.files import Fault, read_file, read_json
from hookwright.installer.installation import Installation
from hookwright.installer.main import describe_error
from hookwright.installer.other_clients import read_interpreter
from hookwright.installer.plans import find_faults
from hookwright.project.installer import (
    find_packages,
    find_sole_package,
    list_enabled,
    list_plugin_settings,
)
from hookwright.project.own_installer import find_leftover
from hookwright.project.reader import Project


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
            faults += [*find_duplicates(installed), *find_slow(installed)]
    except (Fault, OSError) as error:
        return [describe_error(error)]
    return faults


def find_slow(installation: Installation) -> list[Fault]:
    if installation.client.plugin:
        return []
    owned = entries.list_ours(installation.read_settings(), installation.names)
    named = [
        read_interpreter(handler) or shutil.which("python3")
        for _, _, handler in owned
        if entries.read_command(handler)
    ]
    problems = {python: find_slowness(Path(python)) for python in named if python}
    script = shlex.quote(str(installation.project / "install.py"))
    fix = f"run {script} --scope {installation.scope} with another Python"
    return [
        Fault(installation.settings, f"runs {python}, which {problem}", fix)
        for python, problem in problems.items()
        if problem
    ]


def find_duplicates(installation: Installation) -> list[Fault]:
    client, config = installation.client, installation.config
    packages = find_packages(client, installation.project, installation.name)
    if client.plugin:
        places = [path for path in installation.places if read_file(path)]
        where = " and by ".join([*map(str, places), *packages])
        fault = Fault(None, f"the hooks are duplicated, run by {where}", "keep one")
        return [fault] if places and len([*places, *packages]) > 1 else []
    hooks = list_hooks(installation.wanted)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    others = [Path.cwd() / path for path in registry.CLIENTS[client.name].get("also_reads", ())]
    others += [path for path in list_plugin_settings(client, config) if path.suffix == ".json"]
    for path in dict.fromkeys([*installation.places, *others]):
        settings = read_json(path, has_comments=client.has_comments)
        plugins = list_enabled(settings, installation.name)
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and runs_hook(handler, hook, installation.name):
                    run = entries.read_command(handler) or str(handler["url"])
                    runners[hook].append(f"`{run[-40:]}` in {path}")
            runners[hook] += [f"the plugin {plugin}" for plugin in plugins]
    for found in runners.values():
        found += [package for package in packages if package not in found]
    return [
        Fault(None, f"{hook} is duplicated, run by {' and by '.join(found)}", "keep one")
        for hook, found in runners.items()
        if len(found) > 1
    ]


def list_hooks(snippet: Any) -> list[tuple[str, str]]:
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
