"""Finish a project change whose process was killed half-way.

Before the first file is replaced, all changed files are recorded in the user's state folder. The
next process that opens the project writes the remaining files, and commits them.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from hookwright.git import (
    check_committable,
    commit_files,
    find_top,
    has_git,
    is_ignored,
    run_git,
)
from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import remove_empty, replace_files
from hookwright_console.files.user_folders import find_state_folder

try:
    import fcntl
except ImportError:  # without locks on Windows, a change may still be running
    fcntl = None  # type: ignore[assignment]

CODING = "latin-1"  # can represent any bytes as JSON text


@dataclass(frozen=True)
class NotedChange:
    """Project files that are replaced together."""

    folder: Path
    files: Mapping[str, bytes | None]  # new contents; None removes the file
    message: str = ""  # commit message; "" for no commit
    is_new: bool = False  # whether a repository may have to be created first

    def write(self, names: Collection[str]) -> None:
        files = {name: self.files[name] for name in self.files if name in names}
        for place in sorted({(self.folder / name).parent for name in files}):
            if not place.resolve().is_relative_to(self.folder.resolve()):
                raise RefusedError(f"{place} leads out of the project: replace it with a folder")
        replace_files(self.folder, files)
        for path in (self.folder / name for name, content in files.items() if content is None):
            compiled = path.parent / "__pycache__"
            with suppress(OSError):  # a leftover folder does no harm
                for path_of_code in compiled.glob(f"{path.stem}.*.pyc"):
                    path_of_code.unlink()
                remove_empty(self.folder, compiled)

    def commit(self, *, is_checked: bool = False) -> bool:
        """Commit the files, unless git is busy; return whether anything had to be committed."""
        if not self.message or not has_git():
            return False
        if self.is_new and (not find_top(self.folder) or is_ignored(self.folder)):
            run_git(self.folder, "init", "--quiet")
        if not is_checked:
            check_committable(self.folder)
        return commit_files(self.folder, list(self.files), self.message)


@contextmanager
def noting(change: NotedChange, *, stays: bool = False) -> Iterator[None]:
    """Record a change until it is complete or rejected; if it is interrupted, it stays recorded.

    With `stays`, a complete change also stays recorded, because it has yet to be committed.
    """
    path = find_note(change.folder)
    note = write_note(path, change)
    is_over = False
    try:
        yield
        is_over = not stays
    except RefusedError:
        is_over = True
        raise
    finally:
        if note:
            close_note(path, note, is_over=is_over)


def write_note(path: Path, change: NotedChange) -> IO[str] | None:
    """Record a change, and return the locked file, or None if it cannot be written.

    A change that cannot be recorded is made anyway, but cannot be finished if it is killed.
    """
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")  # another process may use it: do not empty it yet
        with ExitStack() as unused:
            unused.callback(file.close)
            if not lock(path, file):
                line = f"another command is changing {change.folder}: wait until it is done"
                raise RefusedError(line)
            file.truncate(0)
            json.dump(export_change(change), file)
            file.flush()
            unused.pop_all()
            return file
    return None


def close_note(path: Path, file: IO[str], *, is_over: bool) -> None:
    if is_over and fcntl:  # before another command can lock it
        path.unlink(missing_ok=True)
    file.close()
    if is_over and not fcntl:  # on systems that cannot remove an open file
        path.unlink(missing_ok=True)


def finish_change(folder: Path) -> None:
    """Finish a killed change to a project; ignore one that is still running.

    A change is dropped if none of its files had been replaced, or if the user has since changed one
    of them. If git refuses to commit, the commit is tried again when the project is next opened.
    """
    path = find_note(folder)
    with suppress(OSError), path.open("r+", encoding="utf-8") as file:
        if lock(path, file):
            close_note(path, file, is_over=finish_noted(folder, file))


def finish_noted(folder: Path, file: IO[str]) -> bool:
    try:
        noted = json.load(file)
        files = {
            name: None if content is None else content.encode(CODING)
            for name, content in noted["files"].items()
        }
        change = NotedChange(folder, files, str(noted["message"]), bool(noted["is_new"]))
        before = dict(noted["before"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return True
    remove_staged(change)
    after = {name: hash_content(content) for name, content in change.files.items()}
    now = {name: hash_content(read(folder / name)) for name in change.files}
    is_users = any(now[name] not in (before.get(name), after[name]) for name in now)
    if is_users or all(now[name] != after[name] for name in now):
        return True
    try:
        change.write([name for name in now if now[name] != after[name]])
        change.commit()
    except RefusedError:
        return False
    return True


def find_note(folder: Path) -> Path:
    key = sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return find_state_folder() / "changes" / f"{key}.json"


def lock(path: Path, file: IO[str]) -> bool:
    """Lock a change's record during the change; return False if another process has locked it."""
    if not fcntl:
        return True
    with suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), path.stat())  # another may have removed it
    return False


def export_change(change: NotedChange) -> dict[str, Any]:
    return {
        "files": {
            name: None if content is None else content.decode(CODING)
            for name, content in change.files.items()
        },
        "before": {name: hash_content(read(change.folder / name)) for name in change.files},
        "message": change.message,
        "is_new": change.is_new,
    }


def remove_staged(change: NotedChange) -> None:
    for name in change.files:
        path = change.folder / name
        staged = re.compile(rf"\.{re.escape(path.name[:50])}-\w{{8}}")
        for remnant in list(path.parent.glob(".*")):
            if staged.fullmatch(remnant.name) and remnant.is_file():
                remnant.unlink()
        if path.parent.is_dir():
            remove_empty(change.folder, path.parent)


def hash_content(content: bytes | None) -> str | None:
    return None if content is None else sha256(content).hexdigest()


def read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
