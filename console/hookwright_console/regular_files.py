"""Open files that have to be regular ones: a pipe would be waited for, a device read for ever."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

LARGEST = 100_000_000  # bytes that are read at once


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading.

    Raises:
        OSError: It cannot be opened, or is a folder, a pipe, a socket or a device.

    """
    check(path, path.stat())  # to open a device may already do something
    # A pipe that nobody writes to is opened at once then, and has no other effect on a file.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        check(path, os.fstat(handle))  # somebody may have put another there meanwhile
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Return what is in a file, or raise as `open_regular` does."""
    with open_regular(path) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OSError(errno.EFBIG, "too large", str(path))
    return content


def check(path: Path, status: os.stat_result) -> None:
    """Raise OSError where this is the status of something else than a regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
