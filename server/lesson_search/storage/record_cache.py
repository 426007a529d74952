"""Cache records in a file, since reading all of them from Chroma takes most of a start.

A record counts only while its row in the store is the one that was read. A damaged file is ignored.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import open_regular
from lesson_search.records import Record
from lesson_search.storage.chroma import Stamp
from lesson_search.storage.chroma_rows import StoredRecord

VERSION = 1  # of the file format
DIGEST = 32  # bytes

CachedRecords = Mapping[str, tuple[Stamp, StoredRecord[Record]]]  # by id


def write_record_cache(
    path: Path,
    kind: type[Record],
    stored: Iterable[StoredRecord[Record]],
    stamps: Mapping[str, Stamp],
) -> None:
    """Write the cache; if that fails, the old one stays.

    Args:
        path: The file.
        kind: Lesson or Skill.
        stored: The records.
        stamps: The stamps of rows by id. A record is left out if its row has none, or one of
            another version.

    """
    rows: list[list[object]] = []
    for one in stored:
        stamp = stamps.get(one.record.id)
        if stamp is not None and stamp.version == one.version:
            values: list[object] = list(vars(one.record).values())
            rows.append(list(stamp) + values)
    content = json.dumps([VERSION, list_fields(kind), rows], separators=(",", ":")).encode()
    # Without a cache the next start only takes longer.
    with suppress(OSError), replacing(path, "wb") as file:
        file.write(hash_content(content) + content)


def read_record_cache(path: Path, kind: type[Record]) -> CachedRecords[Record]:
    """Return the cached records; none if the file is missing, damaged or of another version."""
    try:
        with open_regular(path) as file:
            digest, content = file.read(DIGEST), file.read()
        if digest != hash_content(content):
            return {}
        version, names, rows = json.loads(content)
        if version != VERSION or names != list_fields(kind):
            return {}
        return restore(kind, rows) if rows else {}
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def restore(kind: type[Record], rows: list[list[Any]]) -> CachedRecords[Record]:
    """Return the records of rows; raises ValueError or TypeError where one is not as written."""
    sequences, written, *columns = zip(*rows, strict=True)
    values: dict[str, Any] = dict(zip(list_fields(kind), columns, strict=True))
    values["categories"] = list(map(tuple, values["categories"]))
    known: dict[Any, Any] = {}  # many records have the same categories and times
    for name in values.keys() - {"id", "text"}:
        values[name] = list(map(known.setdefault, values[name], values[name]))
    records = map(kind, *values.values())
    stored = zip(map(Stamp, sequences, written), map(StoredRecord, records, written), strict=True)
    return dict(zip(values["id"], stored, strict=True))


def list_fields(kind: type[Record]) -> list[str]:
    """Return the names of the fields of a record, in order."""
    return [field.name for field in fields(kind)]


def hash_content(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()
