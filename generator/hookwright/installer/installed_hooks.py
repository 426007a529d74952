"""Recognise what is installed in a client's folder: hooks, and a record of each project."""

import hashlib
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from . import entries, registry
from .files import peek

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


class InstalledHook(NamedTuple):
    """An installed hook in the client's folder."""

    path: Path
    project: str  # "" if its file name contains no project


def list_hooks(config: Path) -> "list[InstalledHook]":
    paths = sorted((config / "hooks").glob("*/*.py"))
    owners = [(path, find_project(path, peek(path))) for path in paths]
    return [InstalledHook(path, project) for path, project in owners if project is not None]


def find_project(script: Path, content: bytes) -> "str | None":
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
    entry = rf'[/"]hooks/\w+/\w+-{name}\.py\b|"{entries.OUR_HEADER}"\s*:\s*"{name}"'
    return bool(re.search(entry, text.replace("\\/", "/")))


def read_name(folder: Path) -> str:
    name = read_object(peek(folder / PLUGIN)).get("name")
    return name if isinstance(name, str) else ""
