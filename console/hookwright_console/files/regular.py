"""Open regular files only, because reading a pipe could block and a device may never end."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from hookwright_console.objects import parse_object

MAX_SIZE = 100_000_000  # bytes
MAX_DEPTH = 100  # levels; until Python 3.11, os.walk is recursive and fails at about 900


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; raise OSError for a folder, pipe, socket or device."""
    check(path, path.stat())  # opening a device may have side effects
    # O_NONBLOCK opens a pipe without waiting for a writer, and has no effect on regular files.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        check(path, os.fstat(handle))  # the path may now refer to another file
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Return a file's content; raises OSError like `open_regular`."""
    with open_regular(path) as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise OSError(errno.EFBIG, "too large", str(path))
    return content


def read_start(path: Path, most: int) -> str:
    """Return the text in a file's first bytes, or "" if the file cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def read_object(path: Path) -> dict[str, Any]:
    """Return a file's JSON object, or {} if the file is missing or contains no object."""
    try:
        return parse_object(read_regular(path))
    except OSError:
        return {}


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
    """Yield a file's lines, skipping lines longer than the given number of bytes."""
    is_start = True
    while part := file.readline(most):
        is_end = part.endswith(b"\n") or len(part) < most
        if is_start and is_end:
            yield part
        is_start = is_end


def find_whole_path(path: str) -> str:
    """Return the absolute path with links resolved; an invalid path is returned unchanged."""
    try:
        return str(Path(path).expanduser().resolve())
    except (OSError, RuntimeError, ValueError):  # a link loop or a null byte
        return path
