"""Read JSON files that anyone may have written."""

import json
from pathlib import Path
from typing import Any

from hookwright_console.regular_files import read_regular

MAX_SIZE = 4_000_000  # bytes


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, or None if it is missing or cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_SIZE:
            return None
        return json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return None
