"""Write the commands or the plugin file with which other clients than Claude Code run the hooks.

Some of these clients expand variables before a shell does, so their commands contain only paths, in
plain words that every shell reads alike. The commands also check for python3, because some clients
treat a missing command as a denial.
"""

import json
import os
import re
import shlex
from typing import TYPE_CHECKING, Any

from . import entries
from .files import Fault, peek
from .installation import HOOK, find_interpreter, read_rendered

if TYPE_CHECKING:
    from .installation import Installation

# Matches the hook's path in a rendered command.
PLACED = re.compile(rf"HOOKWRIGHT_FOLDER/({entries.HOOKS})\.py")
# Matches a constant that the installation writes into a plugin file.
CONSTANT = re.compile(r"^const (HOOKS|PYTHON|SCOPE) = .*;$", re.MULTILINE)
NAMED_PYTHON = re.compile(r'^const PYTHON = "([^"\\\n]+)";$', re.MULTILINE)


def write_command(installation: "Installation", rendered: str) -> str:
    """Return a rendered command for the project's own copy of the script, in any folder."""
    found, client = PLACED.search(rendered), installation.client
    if not found:
        return rendered
    script = str(installation.place_script(found[1]))
    python = keep_interpreter(installation)
    for path in (script, python) if client.fills_variables else ():
        if "$" in path:
            problem = f"cannot name {path}, because {client.title} expands $"
            raise Fault(installation.settings, problem, "use a path without it")
    inside = find_in_home(installation, script)
    word = f"~/{shlex.quote(inside)}" if inside else shlex.quote(script)
    run = f"-I -S {word} {installation.scope}"
    command = f"[ ! -f {word} ] || ! command -v python3 >/dev/null || exec python3 {run}"
    if installation.scope == "project":
        return command
    python = shlex.quote(python)
    return f"[ -f {word} ] && [ -x {python} ] && exec {python} {run}; {command}"


def write_plugin(installation: "Installation") -> bytes:
    folder, is_shared = str(installation.base), installation.scope == "project"
    inside = find_in_home(installation, folder)
    values = {
        "HOOKS": f"process.env.HOME + {json.dumps(f'/{inside}')}" if inside else json.dumps(folder),
        "PYTHON": json.dumps("python3" if is_shared else keep_interpreter(installation)),
        "SCOPE": json.dumps(installation.scope),
    }
    text = read_rendered(installation.client.locate_snippet(installation.project)).decode()
    text = CONSTANT.sub(lambda found: f"const {found[1]} = {values[found[1]]};", text)

    def place(found: "re.Match[str]") -> str:
        return installation.place_script(found[1]).relative_to(folder).as_posix()

    return HOOK.sub(place, text).encode()


def find_in_home(installation: "Installation", path: str) -> str:
    """Return the part of a path in the home folder for shared settings, as other users' differ."""
    home = os.path.expanduser("~") + os.sep  # noqa: PTH111 - there may be none
    return path[len(home) :] if installation.scope == "project" and path.startswith(home) else ""


def keep_interpreter(installation: "Installation") -> str:
    """Return the Python in the entries: after a change, a client may ask for trust again."""
    if installation.client.plugin:
        text = peek(installation.settings).decode("utf-8", "replace")
        named = {*NAMED_PYTHON.findall(text)}
    else:
        owned = entries.list_ours(installation.read_settings(), [installation.name])
        named = {read_interpreter(handler) for _, _, handler in owned}
    usable = [python for python in named if os.access(python, os.X_OK)]
    return usable[0] if len(usable) == 1 else find_interpreter()


def read_interpreter(handler: "dict[str, Any]") -> str:
    found = entries.match_command(handler)
    return shlex.split(found["python"])[0] if found and found["python"] else ""
