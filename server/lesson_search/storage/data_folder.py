"""The data folder of a lesson server, used by one process at a time."""

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import open_regular
from hookwright_console.network.server_address import open_lock, read_address_file, remove_address

if TYPE_CHECKING:
    from filelock import FileLock

TIMEOUT = 0.5  # seconds: a process that only checks the lock holds it for less


class InUseError(ReportedError):
    """Another process is using the folder, perhaps only briefly."""


def lock_folder(folder: Path) -> "FileLock":
    """Lock a folder for this process until it ends or releases the lock; return the lock.

    A missing folder is created, private to the user. Raises InUseError, ReportedError.
    """
    import filelock

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(folder)
        check_files(folder)
        lock = open_lock(folder)
        lock.acquire(timeout=TIMEOUT)
        remove_address(folder)  # left by a killed server
    except filelock.Timeout:
        holder = read_address_file(folder)
        by = (
            f"the lesson server at {holder[0]} (process {holder[1]})"
            if holder
            else "another process"
        )
        raise InUseError(
            f"{folder} is in use by {by}: stop it, or choose another --data folder"
        ) from None
    except FileExistsError:
        raise ReportedError(
            f"{folder} is a file, not a folder: choose another --data folder"
        ) from None
    except OSError as error:
        raise ReportedError(
            f"cannot use {folder}: {error.strerror} (choose another --data folder, or own this one)"
        ) from None
    return lock


def check_files(folder: Path) -> None:
    """Refuse a folder if a file that others open is not a regular file: pipes would block."""
    for path in (folder / "lock", *(folder / "db").rglob("*")):
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ReportedError(
                f"{path} is not a regular file: remove it, or choose another --data folder"
            )


def read_own(path: Path) -> bytes:
    """Return the content of a file in a data folder; raise OSError if it is a link.

    Another user may have created the link, pointing to a file that only this user can read.
    """
    with open_regular(path) as file:
        if not os.path.samestat(path.lstat(), os.fstat(file.fileno())):
            raise OSError(errno.ELOOP, "is a link: replace it with a file", str(path))
        return file.read()


def make_private(folder: Path) -> None:
    """Deny other users access to a user's folder, and thus to Chroma's files in it.

    A world-writable folder, such as /tmp, is left unchanged.
    """
    found = folder.stat()
    private = stat.S_IMODE(found.st_mode) & ~(stat.S_IRWXG | stat.S_IRWXO)
    shared = found.st_mode & stat.S_ISVTX
    if os.name == "posix" and found.st_uid == os.geteuid() and not shared:
        folder.chmod(private)
