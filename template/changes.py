"""Make the changes of an installation: all of them, or none.

Where one is killed half-way, the next one finds what is left to do.
"""

import difflib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from files import RefusedError, discard, is_unchanged, read_file, write_beside

BOM = "\ufeff"  # which some editors begin a file with


class Change(NamedTuple):
    """What becomes of a file: what it is to hold, and what of the backup beside it."""

    content: "bytes | None"  # None removes it
    keeps: bool = False  # what was there becomes the backup
    restores: bool = False  # the backup goes back to where it was


Changes = dict[Path, Change]


def select_pending(changes: Changes) -> Changes:
    """Return the changes that are not made yet; refuse them all where one is to a link."""
    pending = {}
    for path, change in changes.items():
        before = read_file(path)
        if change.restores or change.content != (before.content if before else None):
            pending[path] = change
    for path in pending:
        if path.is_symlink():
            raise RefusedError(f"{path} is a link: make the change in {path.resolve()} yourself")
        if path.exists() and not os.access(path, os.W_OK):
            raise RefusedError(f"{path} is read-only: make it writable first")
    return pending


def show_changes(changes: Changes) -> None:
    """Print the changes as one would see them in a patch."""
    for path, change in changes.items():
        file = read_file(path)
        before, after = (file.content if file else b"", change.content or b"")
        names = (str(path) if file else os.devnull, str(path) if after else os.devnull)
        former, latter = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
        print("\n".join(difflib.unified_diff(former, latter, *names, lineterm="")))
        if change.keeps:
            print(f"# {path} is kept as {name_backup(path)}")
    if not changes:
        print("nothing to change")


def apply_changes(changes: Changes) -> bool:
    """Make the changes, and say each; where one cannot be written, make none.

    Return whether they are made: not where another program changed a file since it was read.
    """
    staged: dict[Path, IO[bytes]] = {}
    try:
        for path, change in changes.items():
            kept = read_file(name_backup(path)) if change.restores else None
            if change.content is not None and not (kept and kept.content == change.content):
                staged[path] = stage_change(path, change.content)
        return all(map(is_unchanged, changes)) and all(
            make_change(path, change, staged.get(path)) for path, change in changes.items()
        )
    finally:
        for file in staged.values():
            discard(file)


def stage_change(path: Path, content: bytes) -> "IO[bytes]":
    """Write what a file is to hold beside it."""
    try:
        return write_beside(path, content, like=path)
    except OSError as error:
        raise RefusedError(f"{path} cannot be written: {error.strerror}") from None


def make_change(path: Path, change: Change, staged: "IO[bytes] | None") -> bool:
    """Make a change, and say so; return whether it is made.

    Killed at whatever line, it leaves what was there before, or its backup with the same content.
    """
    backup = name_backup(path)
    if not is_unchanged(backup) or (change.keeps and not keep_aside(path, backup)):
        return False
    source = Path(staged.name) if staged else backup
    if staged and change.restores:
        source = source.replace(backup)
    if not is_unchanged(path):  # the last look, right before
        if change.keeps:
            backup.unlink()
        return False
    if change.content is None:
        path.unlink(missing_ok=True)
    else:
        source.replace(path)
    print("removed" if change.content is None else "wrote", path)
    return True


def keep_aside(path: Path, backup: Path) -> bool:
    """Give a file the name of its backup, too, or copy it to there; return whether that is done.

    It is not where the file is gone by now, or another installation was faster.
    """
    try:
        os.link(path, backup, follow_symlinks=False)
    except (FileExistsError, FileNotFoundError):
        return False
    except OSError:  # a file system without hard links, or somebody else's file
        file = write_beside(backup, path.read_bytes(), like=path)
        try:
            Path(file.name).replace(backup)
        finally:
            discard(file)
    return True


def read_json(path: Path) -> Any:
    """Return the object that a file holds, or an empty one for a file that is not there."""
    file = read_file(path)
    if file is None:
        return {}
    try:
        value = json.loads(file.content.decode("utf-8-sig"), object_pairs_hook=refuse_duplicates)
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{path} is not valid JSON ({error}): mend it, then try again") from None
    if not isinstance(value, dict):
        raise RefusedError(f"{path} holds no JSON object: mend it, then try again")
    return value


def refuse_duplicates(pairs: "list[tuple[str, Any]]") -> "dict[str, Any]":
    """Return the pairs as a dict; one of two equal keys would be lost on the way."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("the same key twice in an object")
    return value


def format_like(path: Path, settings: "dict[str, Any]") -> bytes:
    """Return the settings as JSON that is indented, begun and ended in lines as the file has it."""
    file = read_file(path)
    text = file.content.decode() if file else ""
    indent = re.search(r"^[ \t]+", text, re.MULTILINE)
    try:
        written = json.dumps(
            settings, indent=indent[0] if indent else 2, ensure_ascii=False, allow_nan=False
        )
        lines = f"{BOM if text.startswith(BOM) else ''}{written}\n".encode()
    except ValueError as error:
        raise RefusedError(f"{path} cannot be written back as it is: {error}") from None
    return lines.replace(b"\n", b"\r\n") if "\r\n" in text else lines


def remove_empty_folders(path: Path, config: Path) -> None:
    """Remove the folders that only this file kept, but for links and those the client keeps."""
    for folder in path.parents:
        if folder in (config, Path.cwd()) or folder.is_symlink():
            break
        with suppress(OSError):  # it is not empty, or not there
            folder.rmdir()


def name_backup(path: Path) -> Path:
    """Return where the content that a file had before us is kept."""
    return path.with_name(path.name + ".before-hookwright")
