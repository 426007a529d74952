"""Write and recognise the commands in settings that run the hooks.

Every command first checks that the script exists, because Python exits with 2 for a missing script,
which denies the call. Claude Code's commands are copied from the project, and use a variable for
the folder. Some other clients expand variables before a shell does, so their commands contain only
paths, in plain words that every shell reads alike. They also check for python3, because some
clients treat a missing command as a denial.
"""

import re
import shlex
from typing import NamedTuple

from . import registry

WORD = r"(?:'[^'\0]*'|\"'\"|[\w@%+=:,./~-])+"
HOOKS = "|".join(registry.HOOKS)
# Matches a complete command for Claude Code, from any version.
BY_VARIABLE = re.compile(
    r"""\A(?:P=(?P<python>(?:'[^'\0]*'|"'"|[\w@%+=:,./-])+); \[ -x "\$P" \] \|\| P=python3; )?"""
    r'S="\$\{CLAUDE_CONFIG_DIR:-\$HOME/\.claude\}/hooks/\w+/'
    rf'(?:{HOOKS})(?:-(?P<project>[a-z0-9-]+))?\.py"; '
    r'\[ ! -f "\$S" \] \|\| exec (?:python3|"\$P") -I -S "\$S"(?: (?:user|project|local))?'
)
BY_PATH = re.compile(
    rf"\A(?:\[ -f (?P<first>{WORD}) \] && \[ -x (?P<python>{WORD}) \]"
    r" && exec (?P=python) -I -S (?P=first) \w+; )?"
    rf"\[ ! -f (?P<script>{WORD}) \] \|\| ! command -v python3 >/dev/null \|\| "
    r"exec python3 -I -S (?P=script) (?:user|project)"
)
# Matches the hook's path in a rendered command for clients other than Claude Code.
PLACED = re.compile(rf"HOOKWRIGHT_FOLDER/({HOOKS})\.py")
# Matches the event and hook of an installed script in any command that runs it.
SCRIPT = re.compile(r"/hooks/(\w+)/([\w-]+)\.py\b")


class Command(NamedTuple):
    """The content of one of our commands."""

    project: str  # "" if the command contains no project name
    interpreter: str  # "" for python3
    plain: str  # the command without the interpreter


def read_command(text: str) -> "Command | None":
    found = BY_VARIABLE.fullmatch(text)
    if found:
        plain = text.rpartition("P=python3; ")[2].replace('"$P"', "python3")
        return Command(found["project"] or "", read_word(found["python"]), plain)
    found = BY_PATH.fullmatch(text)
    script = SCRIPT.search(text)
    hook, _, project = script[2].partition("-") if script else ("", "", "")
    if not found or hook not in HOOKS.split("|") or not project:
        return None
    return Command(
        project, read_word(found["python"]), text[found.start("script") - len("[ ! -f ") :]
    )


def read_word(word: "str | None") -> str:
    return shlex.split(word)[0] if word else ""


def fit_command(command: str, project: str, scope: str, interpreter: str) -> str:
    """Return Claude Code's rendered command for the project's own copy of the script.

    Except in shared settings, the command contains this machine's interpreter, which starts faster
    than a shim. It also contains the scope, so that a hook in several settings remembers denials
    separately.
    """
    fitted = re.sub(rf"/({HOOKS})\.py\b", rf"/\1-{project}.py", command)
    if scope != "project":
        find = f'P={shlex.quote(interpreter)}; [ -x "$P" ] || P=python3; '
        fitted = find + fitted.replace("exec python3", 'exec "$P"')
    return f"{fitted} {scope}"


def write_command(script: str, scope: str, interpreter: str) -> str:
    run = f"-I -S {script} {scope}"
    command = f"[ ! -f {script} ] || ! command -v python3 >/dev/null || exec python3 {run}"
    if scope == "project":
        return command
    python = shlex.quote(interpreter)
    return f"[ -f {script} ] && [ -x {python} ] && exec {python} {run}; {command}"
