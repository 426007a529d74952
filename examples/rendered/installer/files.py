"""Read files that other programs may also change, and replace them atomically."""

import os
import stat
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_SIZE = 100_000_000  # maximum bytes of a file


def escape(line: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)


class Fault(NamedTuple):
    """An error, the file that it concerns, and how to fix it."""

    file: "Path | None"  # None if the fault does not concern a single file
    problem: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.file} " if self.file else ""
        return escape(f"{place}{self.problem}: {self.fix}")


class InstallError(Exception):
    """A fault that stopped the installation before anything changed."""

    def __init__(self, file: "Path | None", problem: str, fix: str) -> None:
        self.fault = Fault(file, problem, fix)
        super().__init__(str(self.fault))


class File(NamedTuple):
    """The content, mode and owner of a file when it was read."""

    content: bytes
    mode: int
    owner: "tuple[int, int]"  # its user and group


@cache
def read_file(path: Path) -> "File | None":
    """Return a file, or None if it does not exist; results are cached until the cache is cleared.

    Raises InstallError unless it is a regular file, because reading a pipe could block forever.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InstallError(path, "is not a regular file", "move it away")
        if status.st_size > MAX_SIZE:
            raise InstallError(path, f"is larger than {MAX_SIZE:,} bytes", "move it away")
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return File(content, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid))


def read_content(path: Path) -> "bytes | None":
    file = read_file(path)
    return file.content if file else None


def peek(path: Path) -> bytes:
    try:
        file = read_file.__wrapped__(path)
    except (OSError, ValueError, InstallError):  # an invalid path raises ValueError
        return b""
    return file.content if file else b""


def is_unchanged(path: Path) -> bool:
    before = read_file(path)
    return bool(read_file.__wrapped__(path) == before)


@contextmanager
def locking(folders: "Iterable[Path]") -> "Iterator[None]":
    """Prevent other installations from writing to existing folders."""
    with ExitStack() as stack:
        for folder in sorted({*folders}) if fcntl else ():
            with suppress(OSError):  # the folder is missing, or its file system has no locks
                opened = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, opened)
                fcntl.flock(opened, fcntl.LOCK_EX)
        yield


def name_temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.hookwright")


def write_beside(path: Path, content: bytes) -> Path:
    """Write a new file next to `path`, with the mode and owner of `path` if that file exists.

    The caller must lock the folder and move the file into place.
    """
    temporary, former = name_temporary(path), read_file(path)
    temporary.unlink(missing_ok=True)  # left by a killed installation
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            # Use the descriptor, because the folder's owner could replace the file with another of
            # the same name.
            give_owner(file.fileno(), former.owner if former else find_owner(path.parent))
            with suppress(AttributeError, OSError):
                for name in os.listxattr(path) if former else ():
                    os.setxattr(file.fileno(), name, os.getxattr(path, name))
            mode = former.mode if former else 0o755 if path.suffix == ".py" else 0o600
            os.chmod(file.fileno() if os.chmod in os.supports_fd else temporary, mode)  # noqa: PTH101 - a descriptor
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


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
                give_owner(opened, find_owner(folder.parent))
            finally:
                os.close(opened)


def find_owner(folder: Path) -> "tuple[int, int]":
    """Return a folder's user and group, for files that root creates in it; -1 if not root."""
    status = folder.stat()
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return (status.st_uid, status.st_gid) if is_root else (-1, -1)


def give_owner(opened: int, owner: "tuple[int, int]") -> None:
    """Set an open file's user and group or, if that is not permitted, only its group."""
    for user in (owner[0], -1):
        with suppress(AttributeError, OSError):  # Windows has no numeric owners
            os.fchown(opened, user, owner[1])
            return
