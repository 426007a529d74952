"""Apply an installation's changes: all of them, or none.

The next installation finishes one that was killed.
"""

import difflib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from . import json_text
from .files import (
    File,
    InstallError,
    escape,
    is_unchanged,
    locking,
    make_folder,
    read_file,
    write_beside,
)


class Change(NamedTuple):
    """A change of a file and its backup."""

    content: "bytes | None"  # None removes the file
    keeps: bool = False  # the old file becomes the backup
    restores: bool = False  # the backup, which has that content, replaces the file


Changes = dict[Path, Change]


def select_pending(changes: Changes) -> Changes:
    pending = {}
    for path, change in changes.items():
        before = read_file(path)
        if change.restores or change.content != (before.content if before else None):
            pending[path] = change
    for path in pending:
        if path.is_symlink() and not path.exists():
            raise InstallError(path, "is a broken link", "remove it, then try again")
        if path.is_symlink():
            raise InstallError(path, "is a link", f"edit {path.resolve()} yourself")
        for place in (path, path.parent):
            if place.exists() and not os.access(place, os.W_OK):
                raise InstallError(place, "is read-only", "make it writable first")
    return pending


def write_patch(path: Path, change: Change) -> str:
    file = read_file(path)
    before, after = (file.content if file else b"", change.content or b"")
    names = (str(path) if file else os.devnull, str(path) if after else os.devnull)
    former, latter = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(former, latter, *names, lineterm=""))


def write_patches(changes: Changes) -> "list[str]":
    output = []
    for path, change in changes.items():
        output.append(write_patch(path, change))
        if change.keeps:
            output.append(f"# {path} is kept as {name_backup(path)}")
    return output or ["nothing to change"]


def apply_changes(changes: Changes, output: "list[str]") -> bool:
    """Apply the changes and add each to the output; if one cannot be written, apply none.

    Return whether they were applied: not if another program changed a file after it was read.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, change in changes.items():
            if change.content is not None:
                make_folder(path.parent)
        with locking(path.parent for path in changes):
            try:
                for path, change in changes.items():
                    if change.content is not None and not change.restores:
                        staged[path] = stage_change(path, change.content)
                return all(map(is_unchanged, changes)) and all(
                    make_change(path, change, staged.get(path), output)
                    for path, change in changes.items()
                )
            finally:
                for file in staged.values():
                    file.unlink(missing_ok=True)
    except FileNotFoundError:  # another installation removed an emptied folder
        return False


def stage_change(path: Path, content: bytes) -> Path:
    try:
        return write_beside(path, content, like=path)
    except FileNotFoundError:
        raise
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InstallError(path, problem, "fix that, then try again") from None


def make_change(path: Path, change: Change, staged: "Path | None", output: "list[str]") -> bool:
    """Apply a change and add it to the output; return whether it was applied.

    If killed at any line, it leaves the previous state, or a backup with the same content.
    """
    backup = name_backup(path)
    if change.keeps and not keep_aside(path, backup):
        return False
    if not is_unchanged(path):  # last check, immediately before the change
        if change.keeps:
            backup.unlink()
        return False
    if change.content is None:
        path.unlink(missing_ok=True)
    else:
        (staged or backup).replace(path)
    output.append(escape(f"{'removed' if change.content is None else 'wrote'} {path}"))
    return True


def keep_aside(path: Path, backup: Path) -> bool:
    """Link or copy a file to its backup's name; return whether that succeeded.

    It fails if the file no longer exists, or if another installation was faster.
    """
    try:
        os.link(path, backup, follow_symlinks=False)
    except (FileExistsError, FileNotFoundError):
        return False
    except OSError:  # a file system without hard links, or another user's file
        write_beside(backup, path.read_bytes(), like=path).replace(backup)
    return True


def read_json(path: Path, *, has_comments: bool = False) -> Any:
    """Return the object in a JSON file, or an empty one if the file is missing or blank."""
    file = read_file(path)
    if file is None or is_blank(file):
        return {}
    try:
        value = json_text.parse(file.content.decode(), has_comments=has_comments)
    except (ValueError, RecursionError) as error:
        problem = f"is not valid JSON ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None
    if not isinstance(value, dict):
        raise InstallError(path, "is not a JSON object", "fix it, then try again")
    return value


def is_blank(file: File) -> bool:
    return json_text.is_blank(file.content.decode("utf-8", "replace"))


def edit_json(path: Path, wanted: "dict[str, Any]", *, has_comments: bool = False) -> bytes:
    file = read_file(path)
    if file is None or is_blank(file):
        return f"{json.dumps(wanted, indent=2, ensure_ascii=False)}\n".encode()
    try:
        text = json_text.rewrite(file.content.decode(), wanted, has_comments=has_comments)
        return text.encode()
    except (ValueError, RecursionError) as error:
        problem = f"cannot be changed ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None


def remove_empty_folders(path: Path, config: Path) -> None:
    """Remove folders that contained only this file, but no symlinks and no client folders."""
    for folder in path.parents:
        if folder in (config, Path.cwd()) or folder.is_symlink():
            break
        with suppress(OSError):  # not empty, or missing
            folder.rmdir()


def name_backup(path: Path) -> Path:
    return path.with_name(path.name + ".before-hookwright")
