"""Read installation records: the project's folder, and the settings."""

import json
import re
from pathlib import Path
from typing import Any

from . import entries
from .files import peek

NAME = re.compile("[a-z0-9-]+")  # project names are part of file names
PLUGIN = Path(".claude-plugin", "plugin.json")  # contains the project's name


def locate_record(config: Path, project: str) -> Path:
    return config / "hooks" / f"hookwright-{project}.json"


def read_record(config: Path, project: str) -> "dict[str, Any]":
    try:
        record = json.loads(peek(locate_record(config, project)))
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) and NAME.fullmatch(project) else {}


def find_source(config: Path, project: str) -> "Path | None":
    try:
        folder = Path(read_record(config, project)["folder"])
        real = folder.resolve()
        # Since Python 3.13, a symlink loop raises no error and stays a symlink.
        return real if folder.is_absolute() and not real.is_symlink() else None
    except (ValueError, TypeError, KeyError, OSError, RuntimeError):  # RuntimeError: a symlink loop
        return None


def find_settings(config: Path, project: str) -> "list[Path]":
    try:
        paths = list(map(Path, read_record(config, project)["settings"]))
    except (TypeError, KeyError):
        return []
    entry = match_entry(project)
    return [path for path in paths if path.is_absolute() and entry.search(normalize(peek(path)))]


def match_entry(project: str) -> "re.Pattern[str]":
    name = re.escape(project)
    return re.compile(rf'[/"]hooks/\w+/\w+-{name}\.py\b|"{entries.OUR_HEADER}"\s*:\s*"{name}"')


def normalize(content: bytes) -> str:
    """Return settings as a text without escapes, even if they are invalid JSON."""
    text = content.decode("utf-8-sig", "replace")
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text.replace("\\/", "/")


def read_name(folder: Path) -> str:
    try:
        name = json.loads(peek(folder / PLUGIN))["name"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""
