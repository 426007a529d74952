"""Apply either all of an installation's changes or none of them.

If an installation was killed halfway, the next one finishes it.
"""

import difflib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Optional

from . import json_text
from .files import (
    InstallError,
    escape,
    is_unchanged,
    locking,
    make_folder,
    name_temporary,
    read_content,
    write_beside,
)

Changes = dict[Path, Optional[bytes]]  # each file's new content, or None to remove the file


def select_pending(changes: Changes) -> Changes:
    pending = {path: content for path, content in changes.items() if content != read_content(path)}
    for path in pending:
        if path.is_symlink() and not path.exists():
            raise InstallError(path, "is a broken link", "remove it, then try again")
        if path.is_symlink():
            raise InstallError(path, "is a link", f"edit {path.resolve()} yourself")
        for place in (path, path.parent):
            if place.exists() and not os.access(place, os.W_OK):
                raise InstallError(place, "is read-only", "make it writable first")
    return pending


def name_change(path: Path, content: "bytes | None") -> str:
    return "remove" if content is None else "add" if read_content(path) is None else "change"


def write_patch(path: Path, content: "bytes | None") -> str:
    before = read_content(path)
    names = [os.devnull if text is None else str(path) for text in (before, content)]
    former, latter = ((text or b"").decode("utf-8", "replace") for text in (before, content))
    patch = difflib.unified_diff(
        former.splitlines(), latter.splitlines(), names[0], names[1], lineterm=""
    )
    return "\n".join(patch)


def apply_changes(changes: Changes, output: "list[str]") -> bool:
    """Apply the changes and add each to the output; if any cannot be written, apply none.

    Returns False, and applies nothing, if another program changed a file after it was read.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, content in changes.items():
            if content is not None:
                make_folder(path.parent)
        with locking(path.parent for path in changes):
            try:
                for path, content in changes.items():
                    if content is not None:
                        staged[path] = stage_change(path, content)
                return all(map(is_unchanged, changes)) and all(
                    make_change(path, staged.get(path), output) for path in changes
                )
            finally:
                for file in staged.values():
                    file.unlink(missing_ok=True)
    except FileNotFoundError:  # another installation removed the folder, which was empty
        return False


def stage_change(path: Path, content: bytes) -> Path:
    try:
        return write_beside(path, content)
    except FileNotFoundError:
        raise
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InstallError(path, problem, "fix that, then try again") from None


def make_change(path: Path, staged: "Path | None", output: "list[str]") -> bool:
    if not is_unchanged(path):  # last check, immediately before the change
        return False
    if staged:
        staged.replace(path)
    else:
        path.unlink(missing_ok=True)
    output.append(escape(f"{'wrote' if staged else 'removed'} {path}"))
    return True


def read_json(path: Path, *, has_comments: bool = False) -> Any:
    """Return the object in a JSON file, or an empty one if the file is missing or blank."""
    content = read_content(path)
    if content is None or is_blank(content):
        return {}
    try:
        value = json_text.parse(content.decode(), has_comments=has_comments)
    except (ValueError, RecursionError) as error:
        problem = f"is not valid JSON ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None
    if not isinstance(value, dict):
        raise InstallError(path, "is not a JSON object", "fix it, then try again")
    return value


def is_blank(content: bytes) -> bool:
    return not content.decode("utf-8-sig", "replace").strip()


def edit_json(path: Path, wanted: "dict[str, Any]", *, has_comments: bool = False) -> bytes:
    content = read_content(path)
    if content is None or is_blank(content):
        return f"{json.dumps(wanted, indent=2, ensure_ascii=False)}\n".encode()
    try:
        text = json_text.rewrite(content.decode(), wanted, has_comments=has_comments)
        return text.encode()
    except (ValueError, RecursionError) as error:
        problem = f"cannot be changed ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None


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
