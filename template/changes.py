"""Read the files that an installation changes, and make the changes: all of them, or none."""

import difflib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Optional

Changes = dict[Path, Optional[bytes]]  # what each file is to hold; None removes it


class RefusedError(Exception):
    """What stands in the way, in one line with the way out."""


def select_pending(changes: Changes) -> Changes:
    """Return the changes that are not made yet; refuse them all where one is to a link."""
    pending = {
        path: content
        for path, content in changes.items()
        if content != (path.read_bytes() if path.exists() else None)
    }
    for path in pending:
        if path.is_symlink():
            raise RefusedError(f"{path} is a link: make the change in {path.resolve()} yourself")
        if path.exists() and not os.access(path, os.W_OK):
            raise RefusedError(f"{path} is read-only: make it writable first")
    return pending


def show_changes(changes: Changes) -> None:
    """Print the changes as one would see them in a patch."""
    for path, content in changes.items():
        before = path.read_text("utf-8", "replace") if path.exists() else ""
        after = (content or b"").decode("utf-8", "replace")
        names = (str(path) if path.exists() else os.devnull, str(path) if content else os.devnull)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
        print("\n".join(lines))
    if not changes:
        print("nothing to change")


def apply_changes(changes: Changes, config: Path) -> None:
    """Make the changes, and say each; where one cannot be written, make none."""
    staged: dict[Path, Path] = {}
    try:
        for path, content in changes.items():
            if content is not None:
                staged[path] = write_beside(path, content)
    except OSError as error:
        for path, temporary in staged.items():
            temporary.unlink()
            remove_empty_folders(path, config)
        remove_empty_folders(path, config)
        raise RefusedError(f"{path} cannot be written: {error.strerror}") from None
    for path in changes:
        if path in staged:
            staged[path].replace(path)
        else:
            path.unlink()
            remove_empty_folders(path, config)
        print("wrote" if path in staged else "removed", path)
    if not changes:
        print("nothing to change")


def read_json(path: Path) -> Any:  # noqa: ANN401 - settings hold whatever they hold
    """Return the object that a file holds, or an empty one for a file that is not there."""
    try:
        value = json.loads(path.read_text("utf-8"), object_pairs_hook=refuse_duplicates)
    except FileNotFoundError:
        return {}
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
    """Return the settings as JSON that is indented, and whose lines end, as the file has it."""
    text = path.read_bytes().decode() if path.exists() else ""
    indent = re.search(r"^[ \t]+", text, re.MULTILINE)
    try:
        written = json.dumps(
            settings, indent=indent[0] if indent else 2, ensure_ascii=False, allow_nan=False
        )
        lines = f"{written}\n".encode()
    except ValueError as error:
        raise RefusedError(f"{path} cannot be written back as it is: {error}") from None
    return lines.replace(b"\n", b"\r\n") if "\r\n" in text else lines


def write_beside(path: Path, content: bytes) -> Path:
    """Write the content to a new file beside `path`, to be put in its place; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        mode = path.stat().st_mode if path.exists() else 0o600
        Path(name).chmod(0o755 if path.suffix == ".py" else mode)
    except OSError:
        Path(name).unlink()
        raise
    return Path(name)


def remove_empty_folders(path: Path, config: Path) -> None:
    """Remove the folders that only this file kept, but for links and those the client keeps."""
    for folder in path.parents:
        if folder in (config, Path.cwd()) or folder.is_symlink():
            break
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def name_backup(path: Path) -> Path:
    """Return where the content that a file had before us is kept."""
    return path.with_name(path.name + ".before-hookwright")
