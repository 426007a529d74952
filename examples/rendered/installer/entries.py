"""Find, merge and remove the entries in a client's settings that run a project's hooks.

Settings are JSON values of any shape; everything outside the project's entries stays unchanged. A
renamed project has several names, and owns the entries with any of them.
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Json = Any  # any value in the settings

# A header in each of our requests that the client itself sends; its value is the project's name.
OUR_HEADER = "Hookwright-Project"
# The path of such a request, which other programs may also use.
LESSON_PATH = "/hooks/user-prompt-submit"
OUR_URL = re.compile(rf"https?://[^/?#\s]+{LESSON_PATH}(?:\?[^#\s]*)?")


def read_command(handler: "dict[str, Json]") -> str:
    command = handler.get("command")
    return command if isinstance(command, str) else ""


def read_interpreter(handler: "dict[str, Json]") -> str:
    found = commands.read_command(read_command(handler))
    return found.interpreter if found else ""


def find_script(handler: "dict[str, Json]") -> "Path | None":
    found = commands.SCRIPT.search(read_command(handler))
    return Path("hooks", found[1], f"{found[2]}.py") if found else None


def find_project(handler: "dict[str, Json]") -> "str | None":
    """Return a handler's project, "" if it contains no name, or None if the handler is not ours."""
    found = commands.read_command(read_command(handler))
    return found.project if found else find_asking(handler)


def find_asking(handler: "dict[str, Json]") -> "str | None":
    headers = handler.get("headers")
    project = headers.get(OUR_HEADER) if isinstance(headers, dict) else None
    is_ours = handler.get("type") == "http" and OUR_URL.fullmatch(str(handler.get("url")))
    return project if isinstance(project, str) and is_ours else None


def list_handlers(settings: Json) -> "list[tuple[str, Json, Json]]":
    hooks = settings.get("hooks")
    return [
        (event, entry.get("matcher"), handler)
        for event, entries in (hooks.items() if isinstance(hooks, dict) else ())
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("hooks"), list)
        for handler in entry["hooks"]
        if isinstance(handler, dict)
    ]


def list_ours(settings: Json) -> "list[tuple[str, Json, Json]]":
    return [found for found in list_handlers(settings) if find_project(found[2]) is not None]


def list_owned(settings: Json, names: "Collection[str]") -> "list[tuple[str, Json, Json]]":
    return [found for found in list_handlers(settings) if find_project(found[2]) in names]


def list_scripts(snippet: Json) -> "list[Path]":
    found = [find_script(handler) for _, _, handler in list_ours(snippet)]
    return list(dict.fromkeys(filter(None, found)))


def remove_entries(settings: Json, names: "Collection[str]") -> Json:
    hooks = settings.get("hooks")
    if not list_owned(settings, names):
        return settings
    kept = {event: remove_handlers(entries, names) for event, entries in hooks.items()}
    kept = {event: entries for event, entries in kept.items() if entries or not hooks[event]}
    rest = {**settings, "hooks": kept}
    if not kept:
        del rest["hooks"]
    return rest


def remove_handlers(entries: Json, names: "Collection[str]") -> Json:
    if not isinstance(entries, list):
        return entries
    kept = []
    for entry in entries:
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        others = [
            handler
            for handler in (handlers if isinstance(handlers, list) else ())
            if not isinstance(handler, dict) or find_project(handler) not in names
        ]
        if not isinstance(handlers, list) or others == handlers:
            kept.append(entry)
        elif others:
            kept.append({**entry, "hooks": others})
    return kept


def merge_entries(settings: Json, snippet: Json, names: "Collection[str]") -> Json:
    """Return the settings with the snippet's entries instead of the project's old entries.

    Raises TypeError if the settings contain a value of another type at an entry's place.
    """
    if sorted(map(str, list_owned(settings, names))) == sorted(map(str, list_ours(snippet))):
        return settings
    merged = remove_entries(settings, names)
    hooks = merged.get("hooks", {})
    if not isinstance(hooks, dict):
        raise TypeError('"hooks" is not an object')
    for event, entries in snippet["hooks"].items():
        present = hooks.get(event, [])
        if not isinstance(present, list):
            raise TypeError(f'"{event}" is not a list')
        hooks = {**hooks, event: present + entries}
    return {**merged, "hooks": hooks}


def rewrite_commands(snippet: Json, write: "Callable[[str], str]") -> Json:
    written = json.loads(json.dumps(snippet))
    for _, _, handler in list_handlers(written):
        if command := read_command(handler):
            handler["command"] = write(command)
    return written


def unname_interpreter(settings: Json, names: "Collection[str]") -> "list[str]":
    """Return a project's entries as sorted texts, with interpreters removed."""
    plain = []
    for event, matcher, handler in list_owned(settings, names):
        found = commands.read_command(read_command(handler))
        command = found.plain if found else ""
        plain.append(json.dumps([event, matcher, {**handler, "command": command}], sort_keys=True))
    return sorted(plain)
