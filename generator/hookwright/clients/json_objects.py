"""Read JSON objects written by users and clients; they may contain anything and never change."""

import json
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular

MAX_SIZE = 50_000_000  # bytes per file: clients may log there


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file, or an empty one if the file is missing or broken."""
    try:
        return parse_object(path) or {}
    except RefusedError:
        return {}


def parse_object(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file, or None if the file is missing."""
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > MAX_SIZE:
            raise RefusedError(f"{path} is not a settings file: move it away")
        value = json.loads(read_regular(path).decode("utf-8-sig"))
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
