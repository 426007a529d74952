"""Find whole paths, and walk through a folder, however deep somebody nested it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

MAX_DEPTH = 100  # levels; os.walk calls itself for each up to Python 3.11, and ends at about 900


def walk(
    folder: Path, on_error: Callable[[OSError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each folder with the names of its folders and its files, as `os.walk` does."""
    top = len(folder.parts)
    for here, folders, files in os.walk(folder, onerror=on_error):
        yield here, folders, files
        if len(Path(here).parts) - top >= MAX_DEPTH:
            folders.clear()


def find_whole_path(path: str) -> str:
    """Return the whole path of a file or folder, without links; one that cannot be as it is."""
    try:
        return str(Path(path).expanduser().resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, a null byte
        return path
