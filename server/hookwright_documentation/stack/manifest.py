"""Read the files of an untrusted project that name packages, images, actions and commands.

Reads only a few small, regular files inside the project's folder.
"""

import codecs
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from hookwright_console.files.regular import open_regular, walk
from hookwright_documentation.sources.registry import OTHERS_FOLDERS

PYPI, NPM, GO, CRATES, GEMS, MAVEN = "pypi", "npm", "go", "crates", "gems", "maven"
IMAGES, ACTIONS, PROVIDERS, COMMANDS = "images", "actions", "providers", "commands"
NAME = re.compile(r"[A-Za-z0-9@_.][A-Za-z0-9@_./:+~-]{0,199}")
VERSION = re.compile(r"[A-Za-z0-9_.+!~-]{1,60}")
LIMITS = re.compile(r"[A-Za-z0-9_.+!~^<>=*|, -]{1,60}")
LOWEST = re.compile(r"(?:\^|~>?|~=|>=)? *v?(\d{1,9}(?:\.\d{1,9}){0,2})(?![\w.])", re.ASCII)
NUMBER = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,3})(?!\w)", re.ASCII)
MAX_FILE_BYTES = 8_000_000  # bytes per file
MAX_TOTAL_BYTES = 64_000_000  # bytes of all files together
MAX_FILES = 1_000
MAX_PATH = 4_000  # characters
MAX_DEPTH = 8  # nested folders
MAX_ENTRIES = 200_000  # entries in all folders together
MAX_LEVELS = 50  # maximum YAML nesting levels
MAX_TOML = 1_000_000  # characters
MAX_DOTS = 40  # dots in a TOML key, because parsing takes quadratic time and memory
ITEM = "-"  # the key used for list items in YAML
SKIPPED = OTHERS_FOLDERS | {"build", "target", "testdata"}
HIDDEN_FOLDERS = frozenset({".github", ".gitlab"})  # hidden folders that contain manifests


@dataclass(frozen=True)
class Dependency:
    """A dependency that a manifest names."""

    ecosystem: str  # a key of `packages` in recipes, such as pypi
    name: str
    version: str = ""  # used version, such as 4.2.1, or "" if the manifest only limits it
    is_direct: bool = True  # False if only a lock file lists it
    file: str = ""  # the manifest's path in the project, with forward slashes
    limits: str = ""  # the version limit in the manifest, such as ^3.4, or ""

    def is_plain(self) -> bool:
        """Whether the name contains only characters that are valid in names."""
        return bool(NAME.fullmatch(self.name))


def read_exact(requirement: object) -> str:
    """Return the version that a requirement such as =1.2.3 pins, or ""."""
    text = requirement.strip() if isinstance(requirement, str) else ""
    text = text.removeprefix("==").removeprefix("=").strip().removeprefix("v")
    return text if text[:1].isdecimal() and VERSION.fullmatch(text) and "*" not in text else ""


def read_limits(requirement: object) -> str:
    """Return a requirement's limit such as ^3.4, or "" if it pins or allows any version."""
    text = " ".join(requirement.split()) if isinstance(requirement, str) else ""
    if read_exact(text) or not re.search(r"\d", text):
        return ""
    return text if LIMITS.fullmatch(text) else ""


def read_lowest(limits: str) -> str:
    """Return the lowest major and minor version in a range such as ~=4.2.1, or "".

    If the range has several conditions, the lower bound is used.
    """
    for part in limits.split(","):
        if found := LOWEST.match(part.strip()):
            return ".".join(found[1].split(".")[:2])
    return ""


def read_number(text: str) -> str:
    """Return the number at the start of a tag such as v16-alpine or 3.12.1-slim, or ""."""
    found = NUMBER.match(text)
    return found[1] if found else ""


def may_contain_manifests(folder: str) -> bool:
    return folder in HIDDEN_FOLDERS or not (folder in SKIPPED or folder.startswith("."))


class UnreadableError(ValueError):
    """A file was not read; the message says why."""


@dataclass
class ProjectFolder:
    """A project's folder."""

    root: Path
    warnings: list[str] = field(default_factory=list)  # messages that name unread files and say why
    _files: int = 0
    _bytes: int = 0

    def __post_init__(self) -> None:
        self.root = self.root.resolve()

    def list_files(self) -> list[str]:
        """Return the paths of the project's files, topmost first, without following links.

        Folders of third-party files, such as node_modules, are skipped.
        """
        found: list[str] = []
        deep: list[str] = []
        entries = 0
        for here, folders, files in walk(self.root, self._warn):
            below = Path(here).relative_to(self.root)
            entries += len(folders) + len(files)
            if entries > MAX_ENTRIES:
                stopped = f"stopped after {MAX_ENTRIES:,} files and folders"
                self.warnings.append(f"{stopped}: name a part of it")
                break
            if below.parts and "pyvenv.cfg" in files:
                files[:] = folders[:] = []
            folders[:] = sorted(filter(may_contain_manifests, folders))
            if len(below.parts) == MAX_DEPTH:
                deep += [f"{(below / name).as_posix()}/" for name in folders]
                folders.clear()
            found += [(below / name).as_posix() for name in sorted(files)]
        if deep:
            self.warnings.append(f"folders more than {MAX_DEPTH} deep are left out, as {deep[0]}")
        return sorted(found, key=lambda path: path.count("/"))

    def _warn(self, error: OSError) -> None:
        self.warnings.append(f"{os.path.relpath(error.filename, self.root)}: {error.strerror}")

    def read(self, path: str) -> str:
        """Return a file's text.

        Raises UnreadableError if the file is outside the folder, not a regular text file, or too
        large, or if the total limit is reached.
        """
        if len(path) > MAX_PATH:  # the system would look up each part of the path
            raise UnreadableError("it cannot be found")
        try:
            place = (self.root / path).resolve()
        except (OSError, RuntimeError, ValueError):  # a link loop, or a null byte
            raise UnreadableError("it cannot be found") from None
        if not place.is_relative_to(self.root):
            raise UnreadableError("it is outside of the project")
        self._files += 1
        if self._files > MAX_FILES or self._bytes > MAX_TOTAL_BYTES:
            raise UnreadableError(
                "skipped, since the limit for all files is reached: name a part of the project"
            )
        try:
            with open_regular(place) as file:
                content = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise UnreadableError(error.strerror or "cannot be read") from None
        self._bytes += len(content)
        if len(content) > MAX_FILE_BYTES:
            raise UnreadableError(f"skipped, since it is over {MAX_FILE_BYTES // 1_000_000} MB")
        return decode(content)


def decode(content: bytes) -> str:
    """Decode a text, which may be UTF-16 as written by PowerShell; raises UnreadableError."""
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError("it is not UTF-8") from None
    if "\0" in text:
        raise UnreadableError("it is not text")
    return text


@dataclass(frozen=True)
class Manifest:
    """A manifest and its text."""

    path: str  # path in the project, with forward slashes
    text: str
    folder: ProjectFolder

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    def locate(self, name: str) -> str:
        """Return the project path of a file whose name is relative to this manifest."""
        return os.path.normpath(PurePosixPath(self.path).parent / name).replace(os.sep, "/")

    def has_beside(self, name: str) -> bool:
        return (self.folder.root / self.locate(name)).is_file()


def read_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if len(text) > MAX_TOML:
        raise UnreadableError(f"it is over {MAX_TOML // 1_000_000} MB")
    if any(part.count(".") > MAX_DOTS for line in text.splitlines() for part in line.split("=")):
        raise UnreadableError(f"a line has over {MAX_DOTS} dots")
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"it is not TOML: {error}") from None
    return tables


def read_json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of 5,000 digits
        line = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it"
        raise UnreadableError(f"{line} is not JSON") from None
    if not isinstance(value, dict):
        raise UnreadableError("it is not a JSON object")
    return value


def read_yaml(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each scalar in a YAML file with the path of keys that leads to it.

    List items have the key "-". Values stay text, and aliases are skipped so that nested aliases
    cannot exhaust the memory.
    """
    import yaml

    keys: list[str | None] = []  # of each level: the next value's key, ITEM in a list, or None
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                if len(keys) == MAX_LEVELS:
                    raise UnreadableError(f"it is over {MAX_LEVELS} levels deep")
                keys.append(ITEM if isinstance(event, yaml.SequenceStartEvent) else None)
                continue
            if isinstance(event, yaml.CollectionEndEvent):
                keys.pop()
            elif isinstance(event, yaml.NodeEvent):  # a scalar or an alias
                value = event.value if isinstance(event, yaml.ScalarEvent) else ""
                if keys and keys[-1] is None:
                    keys[-1] = value
                    continue
                yield tuple(key or "" for key in keys), value
            if keys and keys[-1] is not ITEM:
                keys[-1] = None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark else "it"
        raise UnreadableError(f"{line} is not YAML") from None
