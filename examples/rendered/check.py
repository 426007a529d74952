"""Find what is wrong with an installation, without changing anything."""

import shlex
import shutil
from pathlib import Path

import entries
from changes import read_json
from files import Fault, read_file
from installation import SCOPES, Installation, locate_settings


def find_faults(installation: Installation, program: str = "") -> "list[Fault]":
    """Return what is wrong with an installation, which the program mends, or else install.py."""
    faults = []
    script = shlex.quote(str(installation.project / "install.py"))
    command = f"{script} --scope {installation.scope}"
    install = f"run {program or f'python3 {script}'} --scope {installation.scope}"
    for hook in entries.list_scripts(installation.snippet):
        path = installation.config / hook
        installed = read_file(path)
        if not installed:
            faults.append(Fault(path, "is missing", install))
        elif installed.content != installation.read_hook(hook):
            faults.append(Fault(path, "is stale", install))
    path = installation.settings
    settings = read_json(path)
    wanted = entries.unname_interpreter(installation.wanted)
    if entries.unname_interpreter(settings) != wanted:
        faults.append(Fault(path, "has no entry for the hooks, or a stale one", install))
    faults += find_duplicates(installation)
    for _, _, handler in entries.list_ours(settings):
        if entries.read_command(handler):
            python = entries.read_interpreter(handler) or shutil.which("python3")
            problem = find_slowness(Path(python)) if python else ""
            if problem:
                fix = f"run {command} with another Python"
                faults.append(Fault(path, f"runs {python}, which {problem}", fix))
    return list(dict.fromkeys(faults))


def find_duplicates(installation: Installation) -> "list[Fault]":
    """Return which hooks are run more than once, by which settings or plugins."""
    hooks = entries.list_hooks(installation.snippet)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    for path in dict.fromkeys(locate_settings(installation.config, scope) for scope in SCOPES):
        settings = read_json(path)
        plugins = entries.list_plugins(settings, installation.name)
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and entries.runs_hook(handler, hook):
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
    real = python.resolve()
    if not real.is_file():
        return "is gone"
    if real.read_bytes()[:2] == b"#!" or not real.name.startswith(("python", "pypy")):
        return "is slow (a shim)"
    if (python.parent.parent / "pyvenv.cfg").exists():
        return "is slow (in a virtual environment)"
    return ""
