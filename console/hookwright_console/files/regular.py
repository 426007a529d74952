"""Open regular files only: reading a pipe would block, and reading a device may never end."""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

MAX_SIZE = 100_000_000  # bytes
MAX_DEPTH = 100  # levels; os.walk is recursive up to Python 3.11 and fails at about 900


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; raise OSError for a folder, pipe, socket or device."""
    check(path, path.stat())  # opening a device may have side effects
    # O_NONBLOCK opens a pipe without waiting for a writer, and changes nothing for a file.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        check(path, os.fstat(handle))  # the path may lead to another file by now
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Return the content of a file; raise OSError as `open_regular` does."""
    with open_regular(path) as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise OSError(errno.EFBIG, "too large", str(path))
    return content


def read_start(path: Path, most: int) -> str:
    """Return the text in the first bytes of a file, or "" if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file, or {} if the file is missing or contains none."""
    try:
        value = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def walk(
    folder: Path, on_error: Callable[[OSError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each folder with its subfolders and files, like `os.walk`."""
    top = len(folder.parts)
    for here, folders, files in os.walk(folder, onerror=on_error):
        yield here, folders, files
        if len(Path(here).parts) - top >= MAX_DEPTH:
            folders.clear()


def read_lines(file: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield the lines of a file, skipping those longer than a number of bytes."""
    is_start = True
    while part := file.readline(most):
        is_end = part.endswith(b"\n") or len(part) < most
        if is_start and is_end:
            yield part
        is_start = is_end


def find_whole_path(path: str) -> str:
    """Return the absolute path with links resolved, or an invalid path unchanged."""
    try:
        return str(Path(path).expanduser().resolve())
    except (OSError, RuntimeError, ValueError):  # a link loop or a null byte
        return path
