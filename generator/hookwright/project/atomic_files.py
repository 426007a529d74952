"""Put files in their places: all of them, or none where one cannot be written."""

import errno
import os
import shutil
import signal
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from hookwright_console.errors import RefusedError


def write(folder: Path, files: Mapping[str, bytes | None], runnable: Collection[str]) -> None:
    """Write files into a folder.

    Args:
        folder: The folder.
        files: What each file is to hold, by its path there; None where it goes.
        runnable: Which of them can be run.

    Raises:
        RefusedError: One of them cannot be written, and nothing is changed.

    """
    staged: dict[str, Path] = {}
    try:
        for name, content in files.items():
            check_place(folder / name)
            if content is not None:
                staged[name] = stage(folder / name, content, runs=name in runnable)
    except BaseException as error:
        for name, temporary in staged.items():
            temporary.unlink()
            remove_empty(folder, (folder / name).parent)
        if isinstance(error, OSError):
            place = error.filename or folder
            raise RefusedError(f"{place} cannot be written: {error.strerror}") from None
        raise
    with ignoring_interrupts():  # half of it would be worse than all of it
        for name, content in files.items():
            if content is None:
                (folder / name).unlink(missing_ok=True)
                remove_empty(folder, (folder / name).parent)
            else:
                staged[name].replace(folder / name)


def check_place(path: Path) -> None:
    """Check that a file can be put somewhere, or taken from there; raises OSError."""
    if path.is_dir() and not path.is_symlink():
        raise IsADirectoryError(errno.EISDIR, "a folder is in the way", str(path))
    if path.parent.exists() and not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def stage(path: Path, content: bytes, *, runs: bool) -> Path:
    """Write what a file is to hold beside it, and return where.

    Raises:
        OSError: It cannot be written; the file is named, and nothing is left behind.

    """
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        keep_owner(path, name)
        Path(name).chmod(choose_mode(path, runs=runs))
    except BaseException as error:
        if name:
            Path(name).unlink()
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
    return Path(name)


def keep_owner(path: Path, temporary: str) -> None:
    """Give a file to the owner of the one it replaces; a new one of root's, to the folder's."""
    if path.exists() or (hasattr(os, "geteuid") and os.geteuid() == 0):
        owner = (path if path.exists() else path.parent).stat()
        with suppress(AttributeError, OSError):  # Windows has no such owners
            os.chown(temporary, owner.st_uid, owner.st_gid)


def choose_mode(path: Path, *, runs: bool) -> int:
    """Return who may read, write and run a file: as before, or as the user has it for new ones."""
    if path.exists():
        mode = path.stat().st_mode & 0o666
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    return mode | (mode & 0o444) >> 2 if runs else mode  # who may read it may run it


def remove_empty(folder: Path, within: Path) -> None:
    """Remove the folders within another one that nothing is left in."""
    while within != folder and not any(within.iterdir()):
        within.rmdir()
        within = within.parent


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Have Ctrl-C do nothing."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def copy(source: Path, destination: Path) -> None:
    """Copy a folder to one that is empty, or not there yet.

    Raises:
        RefusedError: It cannot be written, and nothing is left there.

    """
    places = [destination, *destination.parents]
    made = list(takewhile(lambda place: not place.exists(), places))
    try:
        destination.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, destination, dirs_exist_ok=True)
    except BaseException as error:
        clear(destination, made)
        if isinstance(error, OSError):
            reason = error.strerror or find_first(error)
            raise RefusedError(f"{destination} cannot be written: {reason}") from None
        raise


def find_first(error: OSError) -> str:
    """Return the first of the reasons why a folder could not be copied."""
    reasons = error.args[0] if isinstance(error, shutil.Error) else ()
    return str(reasons[0][2]) if isinstance(reasons, list) and reasons else str(error)


def clear(folder: Path, made: list[Path]) -> None:
    """Remove what a folder holds that was empty, and the folders that were made for it."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    for place in made:
        with suppress(OSError):
            place.rmdir()
