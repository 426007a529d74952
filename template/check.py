"""Find what is wrong with an installation, without changing anything."""

import shlex
import shutil
from pathlib import Path

import entries
from changes import read_json
from files import Fault, read_file
from installation import SCOPES, Installation, locate_settings


def find_faults(installation: Installation) -> "list[Fault]":
    """Return what is wrong with an installation."""
    rivalry = installation.find_rivalry()
    if rivalry:
        return [rivalry]
    faults = [*find_stale(installation), *find_duplicates(installation)]
    for _, _, handler in entries.list_owned(read_json(installation.settings), installation.owner):
        if entries.read_command(handler):
            python = entries.read_interpreter(handler) or shutil.which("python3")
            problem = find_slowness(Path(python)) if python else ""
            if problem:
                script = shlex.quote(str(installation.project / "install.py"))
                fix = f"run {script} --scope {installation.scope} with another Python"
                faults.append(Fault(installation.settings, f"runs {python}, which {problem}", fix))
    return list(dict.fromkeys(faults))


def find_stale(installation: Installation) -> "list[Fault]":
    """Return which scripts and entries are not as they would be installed now."""
    config, wanted, heir = installation.config, installation.wanted, installation.heir
    fix = f"run {installation.command}"
    faults = []
    former = installation.find_former_folder()
    if former:
        faults.append(Fault(None, f"{heir.name} was moved here from {former}", fix))
    scripts = entries.list_scripts(wanted)
    for script in scripts:
        installed = read_file(config / script)
        if not installed:
            faults.append(Fault(config / script, "is missing", fix))
        elif installed.content != installation.read_hook(script):
            faults.append(Fault(config / script, "is stale", fix))
    faults += [
        Fault(config / script, "is no longer needed", fix)
        for script in installation.list_installed()
        if script not in scripts and not installation.is_run_elsewhere(script)
    ]
    settings = read_json(installation.settings)
    if entries.unname_interpreter(settings, heir) != entries.unname_interpreter(wanted, heir):
        problem = "has no entry for the hooks, or a stale one"
        faults.append(Fault(installation.settings, problem, fix))
    if not faults and not read_file(installation.record):
        faults.append(Fault(installation.record, "is missing", fix))
    return faults


def find_duplicates(installation: Installation) -> "list[Fault]":
    """Return which hooks are run more than once, by which settings or plugins."""
    hooks = entries.list_hooks(installation.snippet)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    for path in dict.fromkeys(locate_settings(installation.config, scope) for scope in SCOPES):
        settings = read_json(path)
        plugins = entries.list_plugins(settings, installation.name)
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and entries.runs_hook(handler, hook, installation.owner):
                    run = entries.read_command(handler) or str(handler["url"])
                    runners[hook].append(f"`{run[-40:]}` in {path}")
            runners[hook] += [f"the plugin {plugin}" for plugin in plugins]
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
