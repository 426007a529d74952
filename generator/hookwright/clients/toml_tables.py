"""Add a table to a TOML file, or remove it again, without changing the rest of the text.

Tables are appended at the end, and found again by their text: TOML marks where a table starts but
not where it ends, so writers disagree on where comments between tables belong.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from hookwright_console.errors import RefusedError

Tables = dict[str, Any]


def parse_tables(text: str, path: Path) -> Tables:
    try:
        return dict(tomlkit.parse(text).unwrap())
    except (TOMLKitError, RecursionError) as error:
        raise RefusedError(f"{path} is not valid TOML ({error}): fix it, then try again") from None


def add_table(
    text: str, path: Path, keys: tuple[str, str], values: Mapping[str, Any]
) -> tuple[str, str]:
    """Append a table `[holder.name]` to a text; return the new text and the appended part."""
    (holder, name), before = keys, parse_tables(text, path)
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    added = gap + tomlkit.dumps({holder: {name: values}}).replace("\n", newline)
    inner = before.get(holder, {})
    wanted = {**before, holder: {**inner, name: dict(values)}} if isinstance(inner, dict) else {}
    if parse_or_none(text + added) != wanted:
        raise RefusedError(f"{path} has no table {holder} to add to: add {name} there yourself")
    return text + added, added


def drop_table(text: str, added: str) -> str:
    """Remove an added part from a text; return the text unchanged if the part is missing."""
    rest = text.replace(added, "", 1) if added else text
    return text if parse_or_none(rest) is None else rest


def parse_or_none(text: str) -> Tables | None:
    try:
        return parse_tables(text, Path())
    except RefusedError:
        return None
