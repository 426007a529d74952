"""Recognise the hooks that are installed in a client's folder, and find their paths."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from . import registry
from .files import peek, read_file

# Each hook's identifier, which is the same in all versions.
IDS = {name: row["id"].encode() for name, row in registry.HOOKS.items()}
PLUGIN_ID = b"5d0f6c2b7a3e4f1898c1e07b42d96a35"  # identifies opencode's plugin file
FOLDERS = {name: next(iter(row["events"])) for name, row in registry.HOOKS.items()}
# The modules that hooks load.
LOADED = {name: row["loads"] for name, row in registry.HOOKS.items() if "loads" in row}
COMPANIONS = {name: row["name"] for name, row in LOADED.items()}
IDS |= {row["name"]: row["id"].encode() for row in LOADED.values()}
FOLDERS |= {companion: FOLDERS[hook] for hook, companion in COMPANIONS.items()}
HEAD = re.compile(rb"^(?:#|//) ID: ([0-9a-f]{32})\r?\n", re.MULTILINE)


class InstalledHook(NamedTuple):
    """An installed hook in the client's folder."""

    path: Path
    content: bytes
    project: str  # "" if its file name contains no project


def list_installed(config: Path) -> "list[InstalledHook]":
    found = []
    for path in sorted((config / "hooks").glob("*/*.py")):
        content = peek(path)
        project = find_project(path, content)
        if project is not None:
            found.append(InstalledHook(path, content, project))
    return found


def find_project(script: Path, content: bytes) -> "str | None":
    """Return the name of an installed hook's project.

    Returns "" for a manual copy of a hook, and None for any other file.
    """
    head = HEAD.search(content)
    return script.stem.partition("-")[2] if head and head[1] in IDS.values() else None


def is_hook(path: Path) -> bool:
    file = read_file(path)
    head = HEAD.search(file.content) if file else None
    is_plugin = head is not None and head[1] == PLUGIN_ID
    return file is not None and (is_plugin or find_project(path, file.content) is not None)


def name_hook(script: Path) -> str:
    return script.stem.partition("-")[0]


def find_companion(script: Path) -> "Path | None":
    """Return the path of the module that a hook loads, or None."""
    hook = name_hook(script)
    companion = COMPANIONS.get(hook)
    return script.with_name(script.name.replace(hook, companion, 1)) if companion else None


def find_loader(script: Path) -> Path:
    """Return the path of the hook that loads a script, or the script itself."""
    hook = name_hook(script)
    loaders = [loader for loader, companion in COMPANIONS.items() if companion == hook]
    return script.with_name(script.name.replace(hook, loaders[0], 1)) if loaders else script


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
