"""Write files, each whole or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

from hookwright_console.errors import RefusedError
from hookwright_console.text import show

PRIVATE = 0o600


@contextmanager
def replacing(path: Path, kind: Literal["w", "wb"] = "w", mode: int = PRIVATE) -> Iterator[IO[Any]]:
    """Yield a file that takes the place of another once it is written, and of none before.

    Args:
        path: The other file.
        kind: Whether it is text, in UTF-8, or bytes.
        mode: Who may read and write it.

    Raises:
        OSError: It cannot be written; the other is as it was.

    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}-")
    temporary = Path(name)
    encoding, newline = ("utf-8", "\n") if kind == "w" else (None, None)
    try:
        with os.fdopen(handle, kind, encoding=encoding, newline=newline) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_whole(path: Path, lines: Iterable[str], mode: int | None = None) -> None:
    """Put lines into a file, in the place of what it had; in the middle of it, it has the old ones.

    Args:
        path: The file. What a link leads to is written, not the link.
        lines: With their ends.
        mode: Who may read and write it; None for what the user has new files be.

    Raises:
        RefusedError: There is something that is no file, or it cannot be written.

    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise RefusedError(f"{show(str(path))}: is no regular file: name another, or - to print")
    try:
        with replacing(path, mode=mode or find_mode(path)) as file:
            file.writelines(lines)
    except OSError as error:
        raise RefusedError(
            f"{show(str(path))}: cannot be written ({error.strerror}): mend that, or name another"
        ) from None


def find_mode(path: Path) -> int:
    """Return who may read and write a file, or would if it were made now."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
