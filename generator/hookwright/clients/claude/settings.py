"""Locate and read Claude Code's settings: whether they are valid, and what they allow."""

import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from hookwright.clients.claude.tool_names import list_rules
from hookwright.installer import client, files
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_console.objects import pick, pick_texts

NEEDED = {"command": "command", "http": "url", "prompt": "prompt"}  # required field of each type
URLS = "allowedHttpHookUrls"
VERBS: tuple[Literal["deny", "ask", "allow"], ...] = ("deny", "ask", "allow")  # strongest first

Settings = Mapping[str, Any]
FOLDER = "CLAUDE_CONFIG_DIR"  # environment variable that overrides the folder


def find_faults(path: Path) -> Iterator[str]:
    """Yield the reasons why the client ignores a settings file or its hooks."""
    try:
        settings = parse_object(path)
    except RefusedError as refused:
        yield str(refused)
        return
    if settings is None:
        return
    if settings.get("disableAllHooks") is True:
        yield f"{path} turns all hooks off: remove disableAllHooks"
    for place in list_misshapen(settings):
        yield f"{path}: {place}: fix it, or Claude Code ignores the whole file"


def parse_object(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file, or None if the file is missing."""
    try:
        value = json.loads(read_regular(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedError(f"cannot read {path} ({error.strerror}): fix or remove it") from None
    except json.JSONDecodeError as error:
        raise RefusedError(
            f"{path} is not valid JSON (line {error.lineno}: {error.msg}): fix or remove it"
        ) from None
    except (ValueError, RecursionError):
        raise RefusedError(f"{path} is not valid JSON: fix or remove it") from None
    if not isinstance(value, dict):
        raise RefusedError(f"{path} is not a JSON object: fix or remove it")
    return value


def list_misshapen(settings: Settings) -> Iterator[str]:
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        yield "hooks is not an object"
        return
    for event, entries in hooks.items():
        if not isinstance(entries, list):
            yield f"hooks.{event} is not a list"
            continue
        for number, entry in enumerate(entries):
            place = f"hooks.{event}[{number}]"
            if not isinstance(entry, dict) or not isinstance(entry.get("hooks"), list):
                yield f'{place} has no list "hooks"'
                continue
            if not isinstance(entry.get("matcher", ""), str):
                yield f"{place}.matcher is not text"
            for index, hook in enumerate(entry["hooks"]):
                if missing := find_missing(hook):
                    yield f'{place}.hooks[{index}] has no "{missing}"'


def find_missing(hook: object) -> str:
    kind = hook.get("type") if isinstance(hook, dict) else None
    if not isinstance(hook, dict) or not isinstance(kind, str):
        return "type"
    needed = NEEDED.get(kind, "type")
    return "" if isinstance(hook.get(needed), str) else needed


def find_bans(settings: Mapping[Path, Settings], url: str) -> Iterator[str]:
    """Yield why settings prevent our hooks from running, the administrator's settings first."""
    managed = next(iter(settings))
    if settings[managed].get("allowManagedHooksOnly") is True:
        yield f"{managed} allows only its own hooks: ask your administrator"
    lists = [setting for setting in settings.values() if URLS in setting]
    patterns = [text for urls in lists for text in pick_texts(urls, URLS)]
    regexes = [".*".join(map(re.escape, pattern.split("*"))) for pattern in patterns]
    if url and lists and not any(re.fullmatch(regex, url) for regex in regexes):
        yield f"{URLS} does not allow {url}: add it there"


def find_permission(
    settings: Collection[Settings], tool: str
) -> Literal["deny", "ask", "allow", ""]:
    """Return the strongest permission list that contains an MCP tool, or ""."""
    rules = list_rules(tool)
    for verb in VERBS:
        listed = [
            text for setting in settings for text in pick_texts(pick(setting, "permissions"), verb)
        ]
        if rules & set(listed):
            return verb
    return ""


def find_config_folder() -> Path:
    try:
        return client.CLAUDE.find_config_folder()
    except files.Fault as refused:
        raise RefusedError(str(refused)) from None


def locate_main() -> Path:
    return Path(os.environ.get(FOLDER) or Path.home(), ".claude.json")


def list_settings(folder: Path) -> list[tuple[str, Path]]:
    """Return the scope and path of each settings file that the client reads in a folder."""
    own = folder / ".claude"
    return [
        ("managed", find_managed()),
        ("user", find_config_folder() / "settings.json"),
        ("project", own / "settings.json"),
        ("local", own / "settings.local.json"),
    ]


def find_managed() -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "win32":
        return Path("C:/Program Files/ClaudeCode/managed-settings.json")
    return Path("/etc/claude-code/managed-settings.json")
