"""Find, merge and remove the entries that run our hooks in a client's settings.

Settings are plain JSON values of whatever shape; what is not ours is left as it is. install.py
reads and writes them.
"""

import json
import re
import shlex
from pathlib import Path
from typing import Any

Json = Any  # whatever the settings hold

# By this a command of ours is known; the groups are the event and the hook.
OUR_COMMAND = re.compile(
    r'S="\$\{CLAUDE_CONFIG_DIR:-\$HOME/\.claude\}/hooks/(\w+)/(\w+)\.py"; '
    r'\[ ! -f "\$S" \] \|\| exec '
)
# What stands before it where it names an interpreter, which is the group, as a word of the shell.
INTERPRETER = re.compile(r"""P=((?:'[^']*'|"[^"]*"|[^\s;'"])+); \[ -x "\$P" \] \|\| P=python3; """)


def is_ours(handler: Json) -> bool:
    """Tell whether a handler in the settings runs a hook by a command of ours."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and OUR_COMMAND.search(command) is not None


def list_handlers(settings: Json) -> "list[tuple[str, Json, Json]]":
    """Return the event, the matcher and the handler of each command in the settings."""
    hooks = settings.get("hooks")
    return [
        (event, entry.get("matcher"), handler)
        for event, entries in (hooks.items() if isinstance(hooks, dict) else ())
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("hooks"), list)
        for handler in entry["hooks"]
        if isinstance(handler, dict) and isinstance(handler.get("command"), str)
    ]


def list_ours(settings: Json) -> "list[tuple[str, Json, Json]]":
    """Return the event, the matcher and the handler of each hook of ours in the settings."""
    return [handler for handler in list_handlers(settings) if is_ours(handler[2])]


def list_scripts(snippet: Json) -> "list[Path]":
    """Return the hooks that the snippet runs, as paths below the client's configuration folder."""
    commands = "\n".join(handler["command"] for _, _, handler in list_ours(snippet))
    found = dict.fromkeys(OUR_COMMAND.findall(commands))
    return [Path("hooks", event, f"{hook}.py") for event, hook in found]


def remove_entries(settings: Json) -> Json:
    """Return the settings without our handlers, and without what only held those."""
    hooks = settings.get("hooks")
    if not list_ours(settings):
        return settings
    kept = {event: remove_handlers(entries) for event, entries in hooks.items()}
    kept = {event: entries for event, entries in kept.items() if entries or not hooks[event]}
    rest = {**settings, "hooks": kept}
    if not kept:
        del rest["hooks"]
    return rest


def remove_handlers(entries: Json) -> Json:
    """Return an event's entries without our handlers, and without entries that only held those."""
    if not isinstance(entries, list):
        return entries
    kept = []
    for entry in entries:
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(handlers, list) and any(map(is_ours, handlers)):
            others = [handler for handler in handlers if not is_ours(handler)]
            if others:
                kept.append({**entry, "hooks": others})
        else:
            kept.append(entry)
    return kept


def merge_entries(settings: Json, snippet: Json) -> Json:
    """Return the settings with the snippet's entries in place of any that we had there.

    Raises TypeError where the settings have something else in their place.
    """
    if sorted(map(str, list_ours(settings))) == sorted(map(str, list_ours(snippet))):
        return settings
    merged = remove_entries(settings)
    hooks = merged.get("hooks", {})
    if not isinstance(hooks, dict):
        raise TypeError('"hooks" is no object')
    for event, entries in snippet["hooks"].items():
        present = hooks.get(event, [])
        if not isinstance(present, list):
            raise TypeError(f'"{event}" is no list')
        hooks = {**hooks, event: present + entries}
    return {**merged, "hooks": hooks}


def extract_entries(settings: Json) -> Json:
    """Return settings that hold our entries of these settings, and nothing else."""
    events: dict[str, list[Json]] = {}
    for event, matcher, handler in list_ours(settings):
        entry = (
            {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}
        )
        events.setdefault(event, []).append(entry)
    return {"hooks": events}


def fit_commands(snippet: Json, scope: str, interpreter: str) -> Json:
    """Return the snippet with commands that fit the scope: user, project or local.

    A command names this machine's interpreter, which a shim or a virtual environment would delay,
    except in settings that are shared; and the scope, so that a hook that two scopes run, twice for
    a search, tells its denials from its twin's.
    """
    fitted = json.loads(json.dumps(snippet))
    for _, _, handler in list_ours(fitted):
        if scope != "project":
            find = f'P={shlex.quote(interpreter)}; [ -x "$P" ] || P=python3; '
            handler["command"] = find + handler["command"].replace("exec python3", 'exec "$P"')
        if scope != "user":
            handler["command"] += f" {scope}"
    return fitted


def unname_interpreter(settings: Json) -> "list[str]":
    """Return our entries of the settings as text, whatever interpreter they name, sorted."""
    plain = [
        (event, matcher, INTERPRETER.sub("", handler["command"]).replace('"$P"', "python3"))
        for event, matcher, handler in list_ours(settings)
    ]
    return sorted(map(str, plain))
