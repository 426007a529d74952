"""Look whether the client can read its settings, and lets our hooks run."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hookwright.clients.claude.configuration import parse_object, texts
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright_console.errors import RefusedError

NEEDED = {"command": "command", "http": "url", "prompt": "prompt"}  # of a hook, by its type


def check_settings(setup: Setup) -> Iterator[Finding]:
    """Yield what is wrong with the settings that the client reads here."""
    faults = [fault for path in setup.settings for fault in find_faults(path)]
    managed = next(iter(setup.settings))
    if setup.settings[managed].get("allowManagedHooksOnly") is True:
        faults.append(f"{managed} allows no hooks but its own: ask your administrator")
    if setup.asks_itself and not is_allowed(setup):
        faults.append(
            f"allowedHttpHookUrls does not allow {setup.lesson_url}: add {setup.lesson_url}/*"
        )
    for fault in faults:
        yield Finding("settings", "fault", fault)
    read = [str(path) for path in setup.settings if path.exists()]
    if not faults:
        yield Finding("settings", "ok", f"valid: {', '.join(read)}" if read else "there are none")


def find_faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with a settings file."""
    try:
        settings = parse_object(path)
    except RefusedError as refused:
        yield str(refused)
        return
    if settings is None:
        return
    if settings.get("disableAllHooks") is True:
        yield f"{path} has disableAllHooks: take it out"
    for place in list_misshapen(settings):
        yield f"{path}: {place}: mend it, for the client passes over the whole file"


def list_misshapen(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the hooks of settings are not as the client wants them."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        yield '"hooks" is no object'
        return
    for event, entries in hooks.items():
        if not isinstance(entries, list):
            yield f"hooks.{event} is no list"
            continue
        for number, entry in enumerate(entries):
            place = f"hooks.{event}[{number}]"
            if not isinstance(entry, dict) or not isinstance(entry.get("hooks"), list):
                yield f'{place} has no list "hooks"'
                continue
            if not isinstance(entry.get("matcher", ""), str):
                yield f"{place}.matcher is no text"
            for index, hook in enumerate(entry["hooks"]):
                if missing := find_missing(hook):
                    yield f'{place}.hooks[{index}] has no "{missing}"'


def find_missing(hook: object) -> str:
    """Return the field that a hook of settings lacks, or ""."""
    kind = hook.get("type") if isinstance(hook, dict) else None
    if not isinstance(hook, dict) or not isinstance(kind, str):
        return "type"
    needed = NEEDED.get(kind, "type")
    return "" if isinstance(hook.get(needed), str) else needed


def is_allowed(setup: Setup) -> bool:
    """Tell whether the client may ask the lesson server itself."""
    lists = [one for one in setup.settings.values() if "allowedHttpHookUrls" in one]
    patterns = [text for one in lists for text in texts(one, "allowedHttpHookUrls")]
    url = f"{setup.lesson_url}/hooks/user-prompt-submit"
    return not lists or any(
        re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), url) for pattern in patterns
    )
