"""Cache records in a file, since reading all of them from Chroma takes long.

They count only while the database is as it was. A damaged file is ignored.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from lesson_search.records import Record, list_fields
from lesson_search.storage.rows import StoredRecord

VERSION = 2  # of the file format
DIGEST = 32  # bytes


def write_record_cache(
    path: Path, kind: type[Record], state: str, stored: Iterable[StoredRecord[Record]]
) -> None:
    rows = [(one.version, list(vars(one.record).values())) for one in stored]
    content = json.dumps([VERSION, list_fields(kind), state, rows], separators=(",", ":")).encode()
    # Without a cache the next start only takes longer.
    with suppress(OSError), replacing(path, "wb") as file:
        file.write(hash_content(content) + content)


def read_record_cache(
    path: Path, kind: type[Record], is_unchanged: Callable[[str], bool]
) -> list[StoredRecord[Record]] | None:
    """Return the cached records, ordered by id; None if the database has changed since."""
    try:
        with open_regular(path) as file:
            digest, content = file.read(DIGEST), file.read()
        if digest != hash_content(content):
            return None
        version, names, state, rows = json.loads(content)
        if version != VERSION or names != list_fields(kind) or not is_unchanged(state):
            return None
        return restore(kind, rows)
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def restore(kind: type[Record], rows: list[list[Any]]) -> list[StoredRecord[Record]]:
    if not rows:
        return []
    versions, columns = zip(*rows, strict=True)
    values: dict[str, Any] = dict(zip(list_fields(kind), zip(*columns, strict=True), strict=True))
    values["categories"] = list(map(tuple, values["categories"]))
    known: dict[Any, Any] = {}  # many records have the same categories and times
    for name in values.keys() - {"id", "text"}:
        values[name] = list(map(known.setdefault, values[name], values[name]))
    return list(map(StoredRecord, map(kind, *values.values()), versions))


def hash_content(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()
