"""Find what is missing or stale in an installation, without changing anything."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import entries, registry
from .changes import read_json, select_pending
from .files import Fault, InstallError, read_file
from .installation import Installation
from .plans import plan_install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .client import Client


def find_faults(installation: Installation) -> "list[Fault]":
    rivalry = installation.find_rivalry()
    if rivalry or installation.package:
        return [rivalry] if rivalry else []
    select_pending(plan_install(installation))  # what cannot be installed is refused, as there
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
        scopes = installation.list_other_scopes()
        there = f"they are in --scope {' and '.join(scopes)}, or " if scopes else ""
        faults.append(Fault(installation.settings, problem, there + fix))
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


def read_switches(path: Path) -> Any:
    try:
        return read_json(path, has_comments=True)
    except (InstallError, OSError):
        return {}


def find_switches(
    client: "Client", read: "Callable[[Path], Any]" = read_switches
) -> "Iterator[Fault]":
    """Yield which settings, of the user or of this folder, turn all of a client's hooks off."""
    folders = [client.find_config_folder(), Path.cwd() / Path(client.settings["project"]).parent]
    for name, switches in registry.CLIENTS[client.name].get("turned_off", {}).items():
        for path in dict.fromkeys(folder / name for folder in folders):
            for switch, off in switches.items():
                value = read(path)
                for key in switch.split("."):
                    value = value.get(key) if isinstance(value, dict) else None
                if value is off:
                    yield Fault(path, "turns all hooks off", f"remove {switch}")
