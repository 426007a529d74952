"""Recognise what is installed: the entries of a client's settings, hooks, and records of projects.

Settings are JSON values of any shape; everything outside the project's entries stays unchanged. A
renamed project has several names, and owns the entries with any of them. Every command first checks
that the script exists, because Python exits with 2 for a missing script, which denies the call.
"""

import hashlib
import json
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import registry
from .files import peek

if TYPE_CHECKING:
    from collections.abc import Collection

Json = Any  # any value in the settings
Handler = tuple[str, Json, Json]  # event, matcher and handler

# A header in each of our requests that the client itself sends; its value is the project's name.
OUR_HEADER = "Hookwright-Project"
# The path of such a request, which other programs may also use.
LESSON_PATH = "/hooks/user-prompt-submit"
OUR_URL = re.compile(rf"https?://[^/?#\s]+{LESSON_PATH}(?:\?[^#\s]*)?")
WORD = r"(?:'[^'\0]*'|\"'\"|[\w@%+=:,./~-])+"
HOOKS = "|".join(registry.HOOKS)
# These match the complete commands of any version, for Claude Code and for other clients.
BY_VARIABLE = re.compile(
    rf"""(?:P=(?P<python>{WORD}); \[ -x "\$P" \] \|\| P=python3; )?"""
    r'S="\$\{CLAUDE_CONFIG_DIR:-\$HOME/\.claude\}/hooks/\w+/[\w-]+\.py"; '
    r'\[ ! -f "\$S" \] \|\| exec (?:python3|"\$P") -I -S "\$S"(?: (?:user|project|local))?'
)
BY_PATH = re.compile(
    rf"(?:\[ -f (?P<first>{WORD}) \] && \[ -x (?P<python>{WORD}) \]"
    r" && exec (?P=python) -I -S (?P=first) \w+; )?"
    rf"\[ ! -f (?P<script>{WORD}) \] \|\| ! command -v python3 >/dev/null \|\| "
    r"exec python3 -I -S (?P=script) (?:user|project)"
)
# Matches the event and hook of an installed script in any command that runs it.
SCRIPT = re.compile(r"/hooks/(\w+)/([\w-]+)\.py\b")
NAME = re.compile("[a-z0-9-]+")  # project names are part of file names
PLUGIN = Path(".claude-plugin", "plugin.json")  # contains the project's name
# The modules that hooks load.
LOADED = {name: row["loads"] for name, row in registry.HOOKS.items() if "loads" in row}
COMPANIONS = {name: row["name"] for name, row in LOADED.items()}
# Each script's identifier, which is the same in all versions.
IDS = {name: row["id"].encode() for name, row in registry.HOOKS.items()}
IDS |= {row["name"]: row["id"].encode() for row in LOADED.values()}
PLUGIN_ID = b"5d0f6c2b7a3e4f1898c1e07b42d96a35"  # identifies opencode's plugin file
FOLDERS = {name: str(next(iter(row["events"]))) for name, row in registry.HOOKS.items()}
FOLDERS |= {companion: FOLDERS[hook] for hook, companion in COMPANIONS.items()}
HEAD = re.compile(rb"^(?:#|//) ID: ([0-9a-f]{32})\r?\n", re.MULTILINE)


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


def read_command(handler: "dict[str, Json]") -> str:
    command = handler.get("command")
    return command if isinstance(command, str) else ""


def find_script(handler: "dict[str, Json]") -> "Path | None":
    found = SCRIPT.search(read_command(handler))
    return Path("hooks", found[1], f"{found[2]}.py") if found else None


def match_command(handler: "dict[str, Json]") -> "re.Match[str] | None":
    """Return the match of a handler's whole command if we wrote it."""
    command, script = read_command(handler), find_script(handler)
    is_ours = script is not None and script.stem.partition("-")[0] in registry.HOOKS
    return BY_VARIABLE.fullmatch(command) or BY_PATH.fullmatch(command) if is_ours else None


def find_project(handler: "dict[str, Json]") -> "str | None":
    """Return a handler's project, "" if it contains no name, or None if the handler is not ours."""
    script = find_script(handler) if match_command(handler) else None
    return script.stem.partition("-")[2] if script else find_asking(handler)


def find_asking(handler: "dict[str, Json]") -> "str | None":
    headers = handler.get("headers")
    project = headers.get(OUR_HEADER) if isinstance(headers, dict) else None
    is_ours = handler.get("type") == "http" and OUR_URL.fullmatch(str(handler.get("url")))
    return project if isinstance(project, str) and is_ours else None


def list_handlers(settings: Json) -> "list[Handler]":
    hooks = settings.get("hooks")
    return [
        (event, entry.get("matcher"), handler)
        for event, entries in (hooks.items() if isinstance(hooks, dict) else ())
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("hooks"), list)
        for handler in entry["hooks"]
        if isinstance(handler, dict)
    ]


def list_ours(settings: Json, names: "Collection[str] | None" = None) -> "list[Handler]":
    """Return the handlers of projects with these names, or of all projects."""
    owners = [(find_project(found[2]), found) for found in list_handlers(settings)]
    return [found for own, found in owners if own is not None and (names is None or own in names)]


def remove_entries(settings: Json, names: "Collection[str]") -> Json:
    if not list_ours(settings, names):
        return settings
    kept = {}
    for event, entries in settings["hooks"].items():
        left = entries
        if isinstance(entries, list):
            left = [rest for entry in entries for rest in remove_handlers(entry, names)]
        if left or not entries:
            kept[event] = left
    if kept:
        return {**settings, "hooks": kept}
    return {key: value for key, value in settings.items() if key != "hooks"}


def remove_handlers(entry: Json, names: "Collection[str]") -> "list[Json]":
    """Return an entry without a project's handlers, in a list that is empty if no other is left."""
    handlers = entry.get("hooks") if isinstance(entry, dict) else None
    if not isinstance(handlers, list):
        return [entry]
    others = [
        handler
        for handler in handlers
        if not isinstance(handler, dict) or find_project(handler) not in names
    ]
    return [{**entry, "hooks": others}] if others or not handlers else []


def merge_entries(settings: Json, snippet: Json, names: "Collection[str]") -> Json:
    """Return the settings with the snippet's entries instead of the project's old entries.

    Raises TypeError if the settings contain a value of another type at an entry's place.
    """
    if sorted(map(str, list_ours(settings, names))) == sorted(map(str, list_ours(snippet))):
        return settings
    merged = remove_entries(settings, names)
    hooks = {**merged.get("hooks", {})}
    for event, entries in snippet["hooks"].items():
        hooks[event] = hooks.get(event, []) + entries
    return {**merged, "hooks": hooks}


def unname_interpreter(handlers: "list[Handler]") -> "list[str]":
    """Return handlers as sorted texts, with their interpreters removed."""
    plain = []
    for event, matcher, handler in handlers:
        found, command = match_command(handler), read_command(handler)
        command = command.replace(found["python"] or "\0", "") if found else command
        plain.append(json.dumps([event, matcher, {**handler, "command": command}], sort_keys=True))
    return sorted(plain)


class InstalledHook(NamedTuple):
    """An installed hook in the client's folder."""

    path: Path
    project: str  # "" if its file name contains no project


def list_hooks(config: Path) -> "list[InstalledHook]":
    paths = sorted((config / "hooks").glob("*/*.py"))
    owners = [(path, name_project(path, peek(path))) for path in paths]
    return [InstalledHook(path, project) for path, project in owners if project is not None]


def name_project(script: Path, content: bytes) -> "str | None":
    """Return the name of an installed hook's project.

    Returns "" for a manual copy of a hook, and None for any other file.
    """
    return script.stem.partition("-")[2] if is_ours(content) else None


def is_ours(content: bytes) -> bool:
    """Return whether a file is a hook, or a plugin file that runs hooks."""
    head = HEAD.search(content)
    return bool(head and head[1] in (*IDS.values(), PLUGIN_ID))


def name_hook(script: Path) -> str:
    return script.stem.partition("-")[0]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def locate_record(config: Path, project: str) -> Path:
    return config / "hooks" / f"hookwright-{project}.json"


def read_record(config: Path, project: str) -> "dict[str, Any]":
    return read_object(peek(locate_record(config, project))) if NAME.fullmatch(project) else {}


def read_object(text: "str | bytes") -> "dict[str, Any]":
    """Return the object in a JSON text, or an empty one if the text is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def find_source(config: Path, project: str) -> "Path | None":
    """Return the folder that a project was installed from, or None if it is unknown."""
    with suppress(ValueError, TypeError, KeyError, OSError, RuntimeError):  # the last: a link loop
        folder = Path(read_record(config, project)["folder"])
        real = folder.resolve()
        # Since Python 3.13, a symlink loop raises no error and stays a symlink.
        return real if folder.is_absolute() and not real.is_symlink() else None
    return None


def find_settings(config: Path, project: str) -> "list[Path]":
    """Return the settings of other folders that run a project, according to its record."""
    try:
        paths = list(map(Path, read_record(config, project)["settings"]))
    except (TypeError, KeyError):
        return []
    return [path for path in paths if path.is_absolute() and runs_project(path, project)]


def runs_project(path: Path, project: str) -> bool:
    """Return whether settings, even broken ones, contain an entry of a project."""
    text, name = peek(path).decode("utf-8-sig", "replace"), re.escape(project)
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False)  # without escapes
    entry = rf'[/"]hooks/\w+/\w+-{name}\.py\b|"{OUR_HEADER}"\s*:\s*"{name}"'
    return bool(re.search(entry, text.replace("\\/", "/")))


def read_name(folder: Path) -> str:
    name = read_object(peek(folder / PLUGIN)).get("name")
    return name if isinstance(name, str) else ""
