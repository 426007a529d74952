"""Read files that others write, too, and write files beside them that can take their places."""

import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What is written beside a file is named so, and remains where an installation was killed.
TEMPORARY = re.compile(
    r"\.(settings(\.local)?\.json|\w+\.py)(\.before-hookwright)?\.[a-z0-9_]{8}\.hookwright"
)


class RefusedError(Exception):
    """What stands in the way, in one line with the way out."""


class File(NamedTuple):
    """A file as it was when it was read."""

    content: bytes
    mode: int
    owner: "tuple[int, int]"  # its user and group
    identity: "tuple[int, int, int]"  # as `identify` has it


@cache
def read_file(path: Path) -> "File | None":
    """Return a file, or None where there is none; always the same until the cache is cleared.

    Raises RefusedError where there is something else, which might be waited for without end.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        check_regular(path, path.stat())
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            check_regular(path, status)  # what was put there meanwhile
            content = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    owner = (status.st_uid, status.st_gid)
    return File(content, stat.S_IMODE(status.st_mode), owner, identify(status))


def identify(status: os.stat_result) -> "tuple[int, int, int]":
    """Return the device and the inode of a file, and when it was written, in nanoseconds."""
    return status.st_dev, status.st_ino, status.st_mtime_ns


def check_regular(path: Path, status: os.stat_result) -> None:
    """Refuse a folder, a pipe, a socket or a device."""
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError(f"{path} is not a regular file: move it away")


def is_unchanged(path: Path) -> bool:
    """Tell whether a file still is what `read_file` returned."""
    before = read_file(path)
    if read_file.__wrapped__(path) != before:
        return False
    try:  # another program may have put a new file in its place while it was read
        return not before or identify(path.stat()) == before.identity
    except FileNotFoundError:
        return False


def write_beside(path: Path, content: bytes, like: Path) -> "IO[bytes]":
    """Write a new file beside `path`, with the mode and the owner that the file `like` has.

    Where that is not there, it gets those of a new file. Return it, to be closed once it is in its
    place: until then it is locked, so that no other installation takes it for a remnant.
    """
    make_folder(path.parent)
    file = create_locked(path)
    try:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        if like.exists():
            keep_owner(file.name, like.stat())
            shutil.copystat(like, file.name)
            os.utime(file.name)
        else:
            inherit_owner(Path(file.name))
            Path(file.name).chmod(0o755 if path.suffix == ".py" else 0o600)
    except OSError:
        discard(file)
        raise
    if not fcntl:
        file.close()  # or else it could not be renamed
    return file


def create_locked(path: Path) -> "IO[bytes]":
    """Create a file beside `path` that nobody else may read, and lock it."""
    while True:
        file = tempfile.NamedTemporaryFile(  # noqa: SIM115 - `discard` closes it
            dir=path.parent, prefix=f".{path.name}.", suffix=".hookwright", delete=False
        )
        if fcntl:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if Path(file.name).exists():
            return file
        file.close()  # it was taken for a remnant before it was locked


def discard(file: "IO[bytes]") -> None:
    """Close a file, and remove it where it is not in its place by now."""
    file.close()
    Path(file.name).unlink(missing_ok=True)


def remove_remnants(folder: Path) -> None:
    """Remove what killed installations left in a folder: what is named so, and nobody locks."""
    for path in list_folder(folder) if fcntl else ():
        if TEMPORARY.fullmatch(path.name) and path.is_file():
            flags = os.O_NOFOLLOW | os.O_NONBLOCK
            with suppress(OSError), os.fdopen(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def list_folder(folder: Path) -> "list[Path]":
    """Return what is in a folder, which is nothing where it is none."""
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where there is none."""
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        inherit_owner(folder)


def inherit_owner(path: Path) -> None:
    """Give a new file or folder to the owner of the folder that it is in, where root makes it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        keep_owner(path, path.parent.stat())


def keep_owner(path: "Path | str", status: os.stat_result) -> None:
    """Give a file to the user and the group that another one has, or to the group, where we may."""
    for user in (status.st_uid, -1):
        with suppress(AttributeError, OSError):  # Windows has no such owners
            os.chown(path, user, status.st_gid)
            return
