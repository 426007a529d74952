"""Open files that have to be regular ones: a pipe would be waited for, a device read for ever."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading.

    Raises:
        OSError: It cannot be opened, or is a folder, a pipe, a socket or a device.

    """
    # A pipe that nobody writes to is opened at once then, and has no other effect on a file.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Return what is in a file, or raise as `open_regular` does."""
    with open_regular(path) as file:
        return file.read()
