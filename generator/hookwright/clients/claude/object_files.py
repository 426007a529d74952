"""Edit the client's JSON files without changing the rest of their text."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookwright.installer import files
from hookwright_console.errors import RefusedError

Objects = dict[str, Any]
ATTEMPTS = 20  # attempts to change a file that the client is also changing


def change_file(
    path: Path,
    change: Callable[[Objects], Objects],
    *,
    blank: bool | str = False,
    has_comments: bool = False,
) -> None:
    """Change the object in a file, which need not exist; `blank` is the result of `find_blank`."""

    def edit() -> bytes | None:
        before = files.read_json(path, has_comments=has_comments)
        try:
            after = change(before)
        except RefusedError as refused:
            raise RefusedError(f"{path}: {refused}") from None
        if after == before:
            return files.read_file(path)
        if not after and blank is not False:
            return None if blank is True else str(blank).encode()
        return files.edit_json(path, after, has_comments=has_comments)

    replace_content(path, edit)


def find_blank(path: Path) -> bool | str:
    """Return True for a missing file, the text of a blank file, and False for any other."""
    files.read_file.cache_clear()
    try:
        content = files.read_file(path)
    except (files.Fault, OSError):
        return False
    if content is None:
        return True
    return False if content.strip() else content.decode()


def replace_content(path: Path, edit: Callable[[], bytes | None]) -> None:
    """Replace the content of a file that other programs may also change."""
    try:
        for _ in range(ATTEMPTS):
            files.read_file.cache_clear()
            pending = files.select_pending({path: edit()})
            if files.apply_changes(pending, output=[]):
                return
    except files.Fault as refused:
        raise RefusedError(str(refused)) from None
    except OSError as error:  # for example a symlink loop
        raise RefusedError(f"{path}: {error.strerror}: fix that, then try again") from None
    raise RefusedError(f"{path} keeps changing: close the client, and try again")


def refuse_link(path: Path, addition: Objects) -> None:
    """Reject a symlink, because users maintain its target elsewhere; print what to add there."""
    if not path.is_symlink():
        return
    place = os.path.realpath(path)
    if Path(place).is_symlink():
        raise RefusedError(f"{path} is a broken link: remove it, then try again")
    raise RefusedError(f"{path} is a link: add {json.dumps(addition)} to {place}, then try again")


def put(holder: Objects, keys: tuple[str, ...], value: Any) -> Objects:
    """Return an object with a value set at a path of keys."""
    key, *rest = keys
    if not rest:
        return {**holder, key: value}
    inner = holder.get(key, {})
    if not isinstance(inner, dict):
        raise RefusedError(f'"{key}" is not an object: fix it, then try again')
    return {**holder, key: put(inner, tuple(rest), value)}


def take(holder: Objects, keys: tuple[str, ...]) -> Objects:
    """Return an object with a path of keys removed, and without emptied containers."""
    key, *rest = keys
    if key not in holder:
        return holder
    others = {name: value for name, value in holder.items() if name != key}
    inner = holder[key]
    if not rest or not isinstance(inner, dict):
        return others if not rest else holder
    left = take(inner, tuple(rest))
    return {**holder, key: left} if left else others
