"""Find missing or outdated parts of an installation, without changing anything."""

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
    pending = select_pending(plan_install(installation))  # raises if hooks cannot be installed
    fix = f"run {installation.command}"
    if not read_file(installation.record) and not installation.list_installed():
        return [Fault(None, f"{installation.name} is not installed", fix)]
    faults = []
    former = installation.find_former_folder()
    if former:
        faults.append(Fault(None, f"{installation.name} was moved here from {former}", fix))
    wanted = [installation.base / script for script in installation.wanted_scripts]
    for path in pending:
        if path.suffix == ".py":
            problem = "is stale" if read_file(path) else "is missing"
            faults.append(Fault(path, problem if path in wanted else "is no longer needed", fix))
    plugin = installation.client.plugin
    if installation.settings in pending and (plugin or not has_entries(installation)):
        problem = "is missing, or stale" if plugin else "has no entry for the hooks, or a stale one"
        scopes = installation.list_other_scopes()
        there = f"they are in --scope {' and '.join(scopes)}, or " if scopes else ""
        faults.append(Fault(installation.settings, problem, there + fix))
    if not faults and not read_file(installation.record):
        faults.append(Fault(installation.record, "is missing", fix))
    return faults


def has_entries(installation: Installation) -> bool:
    """Return whether the settings run the hooks, with any interpreter."""
    names = installation.names
    found = entries.unname_interpreter(installation.read_settings(), names)
    return found == entries.unname_interpreter(installation.wanted, names)


def read_switches(path: Path) -> Any:
    try:
        return read_json(path, has_comments=True)
    except (InstallError, OSError):
        return {}


def find_switches(
    client: "Client", read: "Callable[[Path], Any]" = read_switches
) -> "Iterator[Fault]":
    """Yield the user's or this folder's settings that disable all of a client's hooks."""
    folders = [client.find_config_folder(), Path.cwd() / Path(client.settings["project"]).parent]
    for name, switches in registry.CLIENTS[client.name].get("turned_off", {}).items():
        for path in dict.fromkeys(folder / name for folder in folders):
            for switch, off in switches.items():
                value = read(path)
                for key in switch.split("."):
                    value = value.get(key) if isinstance(value, dict) else None
                if value is off:
                    yield Fault(path, "turns all hooks off", f"remove {switch}")
