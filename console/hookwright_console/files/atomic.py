"""Replace files atomically, one or several at a time."""

import errno
import json
import os
import signal
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import IO, Any, Literal

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten

PRIVATE = 0o600
Kind = Literal["w", "wb"]
Kept = Path | tuple[bytes, int]  # a link's target, or a file's content and mode


@contextmanager
def replacing(path: Path, kind: Kind = "w", mode: int = PRIVATE) -> Iterator[IO[Any]]:
    """Yield a temporary file that replaces the target file once it is written.

    Raises:
        OSError: The file cannot be written; the old file is unchanged.

    """
    with ExitStack() as undo:
        with staging(path, kind, mode) as file:
            undo.callback(Path(file.name).unlink)
            yield file
        Path(file.name).replace(path)
        undo.pop_all()


def write_json(path: Path, value: object) -> None:
    """Replace a file with a value as JSON; raises OSError like `replacing`."""
    with replacing(path) as file:
        json.dump(value, file, indent=2)


@contextmanager
def staging(path: Path, kind: Kind, mode: int) -> Iterator[IO[Any]]:
    """Yield a new file in the same folder as another, without replacing the other file."""
    encoding, newline = ("utf-8", "\n") if kind == "w" else (None, None)
    with tempfile.NamedTemporaryFile(
        kind,
        dir=path.parent,
        prefix=f".{path.name[:50]}-",
        encoding=encoding,
        newline=newline,
        delete=False,
    ) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).chmod(mode)


def write_whole(path: Path, lines: Iterable[str], mode: int | None = None) -> None:
    """Replace a file's lines atomically.

    Args:
        path: The file to replace; if it is a link, the link's target is replaced.
        lines: The new lines, including line ends.
        mode: The file's permissions; None to keep the current ones, or the default for a new file.

    Raises:
        RefusedError: The path is a folder or device, or cannot be written.

    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise RefusedError(f"{shorten(str(path))}: not a regular file (choose another path)")
    try:
        with replacing(path, mode=mode or find_mode(path)) as file:
            file.writelines(lines)
    except OSError as error:
        raise RefusedError(
            f"cannot write {shorten(str(path))}: {error.strerror} (choose another path)"
        ) from None


def replace_files(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Replace a folder's files: either all of them, or none if any cannot be written.

    A file that starts with #! becomes executable.

    Args:
        folder: The folder, which need not exist.
        files: Each file's new content by path, or None to remove the file.

    Raises:
        RefusedError: A file cannot be written; nothing has changed.

    """
    staged: dict[Path, Path] = {}
    with ExitStack() as undo:
        for name, content in files.items():
            path = folder / name
            with refusing(path):
                check_place(path)
                if content is not None:
                    staged[path] = stage(path, content, undo)
        # Delay Ctrl-C, because a half-applied change would be worse than a complete one.
        with ignoring_interrupts(), ExitStack() as replaced:
            for name in files:
                path = folder / name
                with refusing(path):
                    replaced.callback(restore, path, keep(path))
                    if path in staged:
                        staged[path].replace(path)
                    else:
                        path.unlink(missing_ok=True)
            replaced.pop_all()
        undo.pop_all()
    with suppress(OSError):  # a leftover folder is harmless
        for name, content in files.items():
            if content is None:
                remove_empty(folder, (folder / name).parent)


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RefusedError(f"{path} cannot be written: {error.strerror}") from None


def keep(path: Path) -> Kept | None:
    """Return the data needed to restore a file, or None if it is missing; raises OSError."""
    if path.is_symlink():
        return path.readlink()
    return (path.read_bytes(), find_mode(path)) if path.exists() else None


def restore(path: Path, kept: Kept | None) -> None:
    if kept is None:
        with suppress(NotADirectoryError):
            path.unlink(missing_ok=True)
    elif isinstance(kept, Path):
        path.unlink(missing_ok=True)
        path.symlink_to(kept)
    elif not path.is_file() or path.is_symlink() or path.read_bytes() != kept[0]:
        with replacing(path, "wb", kept[1]) as file:
            file.write(kept[0])
            keep_owner(path, file.name)


def check_place(path: Path) -> None:
    if path.exists() and not path.is_symlink() and not path.is_file():
        what = "a folder" if path.is_dir() else "not a regular file"
        raise FileExistsError(errno.EEXIST, f"{what} is in the way")


def stage(path: Path, content: bytes, undo: ExitStack) -> Path:
    """Write new content to a file next to the target and return its path; `undo` cleans it up."""
    missing = list(takewhile(lambda folder: not folder.exists(), path.parents))
    for folder in reversed(missing):
        folder.mkdir()
        undo.callback(folder.rmdir)
    mode = find_mode(path) & 0o666
    if content.startswith(b"#!"):
        mode |= (mode & 0o444) >> 2  # executable for every user who may read the file
    with staging(path, "wb", mode) as file:
        undo.callback(Path(file.name).unlink, missing_ok=True)
        file.write(content)
        keep_owner(path, file.name)
    return Path(file.name)


def keep_owner(path: Path, temporary: str) -> None:
    """Copy the owner of the replaced file; new files written by root get the folder's owner."""
    if path.exists() or (hasattr(os, "geteuid") and os.geteuid() == 0):
        owner = (path if path.exists() else path.parent).stat()
        with suppress(AttributeError, OSError):  # Windows has no file owners of this kind
            os.chown(temporary, owner.st_uid, owner.st_gid)


def find_mode(path: Path) -> int:
    """Return a file's mode, or the default mode if it does not exist."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def remove_empty(folder: Path, within: Path) -> None:
    while within != folder and not any(within.iterdir()):
        within.rmdir()
        within = within.parent


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
