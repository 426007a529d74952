"""Find what is wrong with an installation, without changing anything."""

import shlex
import shutil
from pathlib import Path
from typing import Any

from . import entries
from .changes import read_json
from .client import find_sole_package, list_rendered
from .files import Fault, read_file
from .installation import Installation
from .packages import list_packages


def find_faults(installation: Installation) -> "list[Fault]":
    rivalry = installation.find_rivalry()
    if rivalry:
        return [rivalry]
    leftover = find_leftover(installation)
    if leftover or find_sole_package(installation.client, installation.project):
        return leftover
    faults = [*find_stale(installation), *find_duplicates(installation)]
    for _, _, handler in list_owned(installation):
        if entries.read_command(handler):
            python = entries.read_interpreter(handler) or shutil.which("python3")
            problem = find_slowness(Path(python)) if python else ""
            if problem:
                script = shlex.quote(str(installation.project / "install.py"))
                fix = f"run {script} --scope {installation.scope} with another Python"
                faults.append(Fault(installation.settings, f"runs {python}, which {problem}", fix))
    return list(dict.fromkeys(faults))


def find_leftover(installation: Installation) -> "list[Fault]":
    """Return the fault that the hooks are installed in a client that the answers do not name."""
    client, project = installation.client, installation.project
    is_ours = client.has_record(installation.name) and not installation.find_rival()
    if not is_ours or client in list_rendered(project):
        return []
    fix = f"run {installation.removal}"
    return [Fault(None, f"{client.name}: no longer in the answers", fix)]


def list_owned(installation: Installation) -> "list[tuple[str, Any, Any]]":
    if installation.client.is_plugin:
        return []
    return entries.list_owned(installation.read_settings(), installation.owner)


def find_stale(installation: Installation) -> "list[Fault]":
    base, heir = installation.base, installation.heir
    fix = f"run {installation.command}"
    faults = []
    former = installation.find_former_folder()
    if former:
        faults.append(Fault(None, f"{heir.name} was moved here from {former}", fix))
    scripts = installation.wanted_scripts
    for script in scripts:
        installed = read_file(base / script)
        if not installed:
            faults.append(Fault(base / script, "is missing", fix))
        elif installed.content != installation.read_hook(script):
            faults.append(Fault(base / script, "is stale", fix))
    faults += [
        Fault(base / script, "is no longer needed", fix)
        for script in installation.list_installed()
        if script not in scripts and not installation.is_run_elsewhere(script)
    ]
    if not has_entries(installation):
        is_file = installation.client.is_plugin
        problem = (
            "is missing, or stale" if is_file else "has no entry for the hooks, or a stale one"
        )
        faults.append(Fault(installation.settings, problem, fix))
    if not faults and not read_file(installation.record):
        faults.append(Fault(installation.record, "is missing", fix))
    return faults


def has_entries(installation: Installation) -> bool:
    if installation.client.is_plugin:
        file = read_file(installation.settings)
        return file is not None and file.content == installation.write_plugin()
    heir = installation.heir
    found = entries.unname_interpreter(installation.read_settings(), heir)
    return found == entries.unname_interpreter(installation.wanted, heir)


def find_duplicates(installation: Installation) -> "list[Fault]":
    client, config = installation.client, installation.config
    packages = list_packages(client, installation.project, installation.name)
    if client.is_plugin:
        places = [path for path in installation.list_settings() if read_file(path)]
        where = " and by ".join([*map(str, places), *packages])
        fault = Fault(None, f"the hooks are duplicated, run by {where}", "keep one")
        return [fault] if places and len([*places, *packages]) > 1 else []
    hooks = entries.list_hooks(installation.snippet)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    others = [Path.cwd() / path for path in client.also_reads]
    others += [path for path in client.list_plugin_settings(config) if path.suffix == ".json"]
    for path in dict.fromkeys([*installation.list_settings(), *others]):
        settings = read_json(path, has_comments=client.has_comments)
        plugins = entries.list_plugins(settings, installation.name)
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and entries.runs_hook(handler, hook, installation.owner):
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


def find_slowness(python: Path) -> str:
    """Return what makes an interpreter slow or unusable, or "".

    It is looked at and not run: settings of the current folder may be anybody's.
    """
    try:
        real = python.resolve()
        if not real.is_file():
            return "is gone"
        with real.open("rb") as file:
            start = file.read(2)
    except (OSError, RuntimeError, ValueError):  # a loop, or a path that cannot be
        return "cannot be used"
    if start == b"#!" or not real.name.startswith(("python", "pypy")):
        return "is slow (a shim)"
    if (python.parent.parent / "pyvenv.cfg").exists():
        return "is slow (in a virtual environment)"
    return ""
