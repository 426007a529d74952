"""Read files where there may be something else, such as a pipe, which is not waited for."""

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path) -> bytes:
    """Return what a regular file holds.

    Args:
        path: The file, or a link to it.

    Raises:
        OSError: It cannot be read, or is not a regular file.

    """
    check(path, path.stat())  # to open a device may already do something
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        check(path, os.fstat(file.fileno()))  # somebody may have put another there meanwhile
        return file.read()


def check(path: Path, status: os.stat_result) -> None:
    """Raise OSError where this is the status of something else than a regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
