"""Read files that other programs change too, and write new ones beside them to replace them."""

import os
import re
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

MAX_SIZE = 100_000_000  # bytes of a file
# The name of a file that is being written; an installation that is killed leaves it behind.
TEMPORARY = re.compile(
    r"\.(settings(\.local)?\.json|hooks\.json|hookwright-[\w-]+\.js(on)?|[\w-]+\.py)(\.before-hookwright|\.edited)?\.[a-z0-9_]{8}\.hookwright"
)


def escape(line: str) -> str:
    """Return a line with escapes for what a terminal would not print, or would obey."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in line)


class Fault(NamedTuple):
    """What is wrong, where, and the way out."""

    file: "Path | None"  # None for what is not in one file
    problem: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.file} " if self.file else ""
        return escape(f"{place}{self.problem}: {self.fix}")


class InstallError(Exception):
    """Nothing was changed, because of this fault."""

    def __init__(self, file: "Path | None", problem: str, fix: str) -> None:
        self.fault = Fault(file, problem, fix)
        super().__init__(str(self.fault))


class File(NamedTuple):
    """A file at the time it was read."""

    content: bytes
    mode: int
    owner: "tuple[int, int]"  # its user and group
    identity: "tuple[int, int, int]"  # from `identify`


@cache
def read_file(path: Path) -> "File | None":
    """Return a file, or None if it does not exist; the same until the cache is cleared.

    Raises InstallError for anything but a regular file: to read a pipe could take for ever.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        check_regular(path, path.stat())
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            check_regular(path, status)  # what was put there meanwhile
            content = file.read(MAX_SIZE + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(content) > MAX_SIZE:
        raise InstallError(path, f"is larger than {MAX_SIZE:,} bytes", "move it away")
    owner = (status.st_uid, status.st_gid)
    return File(content, stat.S_IMODE(status.st_mode), owner, identify(status))


def peek(path: Path) -> bytes:
    """Return what a file holds now, or nothing where it cannot be read."""
    try:
        file = read_file.__wrapped__(path)
    except (OSError, ValueError, InstallError):  # a path that cannot be is a ValueError
        return b""
    return file.content if file else b""


def identify(status: os.stat_result) -> "tuple[int, int, int]":
    """Return the device and the inode of a file, and when it was written, in nanoseconds."""
    return status.st_dev, status.st_ino, status.st_mtime_ns


def check_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise InstallError(path, "is not a regular file", "move it away")


def is_unchanged(path: Path) -> bool:
    before = read_file(path)
    if read_file.__wrapped__(path) != before:
        return False
    try:  # another program may have put a new file in its place while it was read
        return not before or identify(path.stat()) == before.identity
    except FileNotFoundError:
        return False


def write_beside(path: Path, content: bytes, like: Path) -> "IO[bytes]":
    """Write a new file beside `path`, with the mode and the owner of the file `like`, if it exists.

    Close the returned file once it is in its place: until then it is locked, so that no other
    installation takes it for a remnant.
    """
    make_folder(path.parent)
    file = create_locked(path)
    try:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        former = read_file(like)
        if former:
            give_owner(file.fileno(), former.owner)
            copy_attributes(like, file.fileno())
        else:
            inherit_owner(file.fileno(), path.parent)
        mode = former.mode if former else 0o755 if path.suffix == ".py" else 0o600
        os.chmod(file.fileno() if os.chmod in os.supports_fd else file.name, mode)  # noqa: PTH101 - a descriptor
    except OSError:
        discard(file)
        raise
    if not fcntl:
        file.close()  # or else it could not be renamed
    return file


def create_locked(path: Path) -> "IO[bytes]":
    while True:
        file = tempfile.NamedTemporaryFile(  # noqa: SIM115 - `discard` closes it
            dir=path.parent, prefix=f".{path.name}.", suffix=".hookwright", delete=False
        )
        if fcntl:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if Path(file.name).exists():
            return file
        file.close()  # another installation removed it before it was locked


def discard(file: "IO[bytes]") -> None:
    with suppress(OSError):  # closing writes what could not be written before
        file.close()
    Path(file.name).unlink(missing_ok=True)


def remove_remnants(folder: Path) -> None:
    for path in list_folder(folder) if fcntl else ():
        if TEMPORARY.fullmatch(path.name) and path.is_file():
            flags = os.O_NOFOLLOW | os.O_NONBLOCK
            with suppress(OSError), os.fdopen(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def list_folder(folder: Path) -> "list[Path]":
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def make_folder(folder: Path) -> None:
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        if fcntl:
            opened = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                inherit_owner(opened, folder.parent)
            finally:
                os.close(opened)


def inherit_owner(opened: int, folder: Path) -> None:
    """As root, give what was made in a folder, and is open, to the folder's owner."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        status = folder.stat()
        give_owner(opened, (status.st_uid, status.st_gid))


def give_owner(opened: int, owner: "tuple[int, int]") -> None:
    """Give an open file to a user and a group, or only to the group, if we may.

    It takes a descriptor: whoever owns the folder could exchange a file with that name.
    """
    for user in (owner[0], -1):
        with suppress(AttributeError, OSError):  # Windows has no such owners
            os.fchown(opened, user, owner[1])
            return


def copy_attributes(path: Path, opened: int) -> None:
    with suppress(AttributeError, OSError):
        for name in os.listxattr(path):
            os.setxattr(opened, name, os.getxattr(path, name))
