"""Find what is missing or stale in an installation, without changing anything."""

from . import entries
from .files import Fault, read_file
from .installation import Installation


def find_faults(installation: Installation) -> "list[Fault]":
    rivalry = installation.find_rivalry()
    if rivalry or installation.package:
        return [rivalry] if rivalry else []
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
