"""Read files that other programs may also change, and replace either all of them or none.

If an installation was killed halfway, the next one finishes it.
"""

import difflib
import json
import os
import stat
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, Optional

from . import json_text

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

Changes = dict[Path, Optional[bytes]]  # each file's new content, or None to remove the file


def escape(line: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line)


class Fault(Exception):  # noqa: N818 - not every fault is raised
    """An error, the file that it concerns (or None), and how to fix it.

    If it is raised, the installation stopped before anything changed.
    """

    def __init__(self, file: "Path | None", problem: str, fix: str) -> None:
        super().__init__(file, problem, fix)
        self.file, self.problem, self.fix = file, problem, fix

    def __str__(self) -> str:
        place = f"{self.file} " if self.file else ""
        return escape(f"{place}{self.problem}: {self.fix}")


@cache
def read_file(path: Path) -> "bytes | None":
    """Return a file, or None if it does not exist; results are cached until the cache is cleared.

    Raises Fault unless it is a regular file, because reading a pipe could block forever.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Fault(path, "is not a regular file", "move it away")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def peek(path: Path) -> bytes:
    """Return the current content of a file, or b"" if it cannot be read."""
    try:
        return read_file.__wrapped__(path) or b""
    except (OSError, ValueError, Fault):  # an invalid path raises ValueError
        return b""


def is_unchanged(path: Path) -> bool:
    return bool(read_file.__wrapped__(path) == read_file(path))


def select_pending(changes: Changes) -> Changes:
    pending = {path: content for path, content in changes.items() if content != read_file(path)}
    for path in pending:
        if path.is_symlink():
            is_broken = not path.exists()
            fix = "remove it" if is_broken else f"put a copy of {path.resolve()} there"
            problem = "is a broken link" if is_broken else "is a link"
            raise Fault(path, problem, f"{fix}, then try again")
        for place in (path, path.parent):
            if place.exists() and not os.access(place, os.W_OK):
                raise Fault(place, "is read-only", "make it writable first")
    return pending


def name_change(path: Path, content: "bytes | None") -> str:
    return "remove" if content is None else "add" if read_file(path) is None else "change"


def write_patch(path: Path, content: "bytes | None") -> str:
    texts = (read_file(path), content)
    old, new = (os.devnull if text is None else str(path) for text in texts)
    before, after = ((text or b"").decode("utf-8", "replace").splitlines() for text in texts)
    return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))


def apply_changes(changes: Changes, output: "list[str]") -> bool:
    """Apply the changes and add each to the output; if any cannot be written, apply none.

    Returns False if another program changed a file after it was read. That file is kept.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, content in changes.items():
            if content is not None:
                make_folder(path.parent)
        with ExitStack() as stack:
            lock_folders({path.parent for path in changes}, stack)
            for path, content in changes.items():
                if content is not None:
                    staged[path] = write_beside(path, content)
                    stack.callback(staged[path].unlink, missing_ok=True)
            if not all(map(is_unchanged, changes)):
                return False
            for path in changes:
                if not is_unchanged(path):  # last check, immediately before the change
                    return False
                if path in staged:
                    staged[path].replace(path)
                else:
                    path.unlink(missing_ok=True)
                output.append(escape(f"{'wrote' if path in staged else 'removed'} {path}"))
    except FileNotFoundError:  # another installation removed the folder, which was empty
        return False
    return True


def lock_folders(folders: "set[Path]", stack: ExitStack) -> None:
    """Prevent other installations from writing to existing folders."""
    for folder in sorted(folders) if fcntl else ():
        with suppress(OSError):  # the folder is missing, or its file system has no locks
            opened = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, opened)
            fcntl.flock(opened, fcntl.LOCK_EX)


def name_temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.hookwright")


def write_beside(path: Path, content: bytes) -> Path:
    """Write a new file next to `path`, with the mode and owner of `path` if that file exists.

    The caller must lock the folder and move the file into place.
    """
    temporary = name_temporary(path)
    former = path.stat() if read_file(path) is not None else None
    temporary.unlink(missing_ok=True)  # left by a killed installation
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            # Use the descriptor, because the folder's owner could replace the file with another of
            # the same name.
            give_owner(file.fileno(), former or path.parent.stat())
            with suppress(AttributeError, OSError):
                for name in os.listxattr(path) if former else ():
                    os.setxattr(file.fileno(), name, os.getxattr(path, name))
            new = 0o755 if path.suffix == ".py" else 0o600
            mode = stat.S_IMODE(former.st_mode) if former else new
            os.chmod(file.fileno() if os.chmod in os.supports_fd else temporary, mode)  # noqa: PTH101 - a descriptor
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, FileNotFoundError):
            raise
        problem = f"cannot be written ({error.strerror})"
        raise Fault(path, problem, "fix that, then try again") from None
    return temporary


def make_folder(folder: Path) -> None:
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        opened = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW) if fcntl else -1
        give_owner(opened, folder.parent.stat())
        if fcntl:
            os.close(opened)


def give_owner(opened: int, model: os.stat_result) -> None:
    """Copy the user and group to an open file or folder or, if not permitted, only the group."""
    for user in (model.st_uid, -1):
        with suppress(AttributeError, OSError):  # Windows has no numeric owners
            os.fchown(opened, user, model.st_gid)
            return


def clean_up(path: Path, config: Path) -> None:
    """Remove a killed installation's temporary copy of a file, and the folders that are now empty.

    Symlinks and the clients' own folders are kept.
    """
    with suppress(OSError):  # its folder is a file or missing
        name_temporary(path).unlink()
    for folder in path.parents:
        if folder in (config, Path.cwd()) or folder.is_symlink():
            break
        with suppress(OSError):  # not empty or missing
            folder.rmdir()


def name_backup(path: Path) -> Path:
    return path.with_name(path.name + ".before-hookwright")


def is_blank(content: "bytes | None") -> bool:
    return not (content or b"").decode("utf-8-sig", "replace").strip()


def read_json(path: Path, *, has_comments: bool = False) -> Any:
    """Return the object in a JSON file, or an empty one if the file is missing or blank."""
    content = read_file(path) or b""
    if is_blank(content):
        return {}
    try:
        value = json_text.parse(content.decode(), has_comments=has_comments)
    except (ValueError, RecursionError) as error:
        problem = f"is not valid JSON ({error})"
        raise Fault(path, problem, "fix it, then try again") from None
    if not isinstance(value, dict):
        raise Fault(path, "is not a JSON object", "fix it, then try again")
    return value


def edit_json(path: Path, wanted: "dict[str, Any]", *, has_comments: bool = False) -> bytes:
    content = read_file(path) or b""
    if is_blank(content):
        return f"{json.dumps(wanted, indent=2, ensure_ascii=False)}\n".encode()
    try:
        text = json_text.rewrite(content.decode(), wanted, has_comments=has_comments)
    except (ValueError, RecursionError) as error:
        problem = f"cannot be changed ({error})"
        raise Fault(path, problem, "fix it, then try again") from None
    return text.encode()
