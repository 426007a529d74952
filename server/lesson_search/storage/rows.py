"""Convert records to and from Chroma rows, and cache the records.

Reading all records from Chroma is slow, so they are cached in a file, which is valid while the
database is unchanged.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from hookwright_retrieval.embedders import Vectors, scale
from lesson_search.records import (
    UNKNOWN,
    Lesson,
    Record,
    Skill,
    check_id,
    check_record,
    list_fields,
    take_fields,
)

PACKED = "record"  # the field of an embedded Chroma that contained all others until version 0.2
LEVELS = ("category_l0", "category_l1", "category_l2")  # fields of the category levels
VERSION = 3  # version of the cache format


@dataclass(frozen=True)
class StoredRecord(Generic[Record]):
    """A record in the store."""

    record: Record
    version: str  # changes with every write, or ""


def read_record(
    kind: type[Record], identity: str, text: object, metadata: Mapping[str, object]
) -> Record:
    row: dict[str, Any] = {name: str(value) for name, value in metadata.items()}
    row["ingested"] = row.get("ingested") or UNKNOWN
    row["categories"] = filter(None, row.get("categories", "").split(","))
    row["classified"] = bool(metadata.get("classified"))
    return check_record(
        take_fields(kind, {**row, "id": check_id(identity), "text": str(text or "")})
    )


def read_fields(metadata: Mapping[str, object] | None) -> Mapping[str, object]:
    """Return a row's fields: separate ones or, before version 0.2, packed in one.

    A separate field takes precedence, since another program wrote it later.
    """
    metadata = metadata or {}
    if PACKED not in metadata:
        return metadata
    version, _, content = str(metadata[PACKED]).partition(" ")
    try:
        return {**json.loads(content), "written": version, **metadata}
    except (ValueError, TypeError, RecursionError):
        raise RefusedError(f"{PACKED} is not a version and JSON: remove the row") from None


def read_version(metadata: Mapping[str, object] | None) -> str:
    """Return the version of a row, which changes with every write, or ""."""
    metadata = metadata or {}
    return str(metadata.get("written", str(metadata.get(PACKED, "")).partition(" ")[0]))


def read_vectors(rows: list[Vectors]) -> Vectors:
    """Return vectors scaled to length 1, of shape (rows, dimensions), even invalid ones."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(rows, np.float64)  # prevents overflow when squaring
    return scale(np.where(np.isfinite(vectors), vectors, 0))


def build_columns(
    rows: Sequence[StoredRecord[Any]], *, shared: bool, replacing: bool
) -> dict[str, list[Any]]:
    """Return Chroma's columns for records, except IDs and vectors.

    Each field is a metadata entry, and so is each category level, for Chroma's filters. An embedded
    Chroma also stores the text as metadata, because it would index every three letters of a
    document, which takes longer than everything else. There, empty fields remove the values of
    replaced rows; new rows have none, since they take as long to write as others.
    """
    documents, metadatas = [], []
    for row in rows:
        categories = row.record.categories
        metadata = {**vars(row.record), "categories": ",".join(categories), "written": row.version}
        del metadata["id"]
        for level, name in enumerate(LEVELS, start=1):
            paths = ("/".join(path.split("/")[:level]) for path in categories)
            metadata[name] = ",".join(dict.fromkeys(paths))
        documents.append(metadata.pop("text") if shared else "")
        if replacing and not shared:
            metadata = {PACKED: None, **{name: value or None for name, value in metadata.items()}}
        elif not shared:
            metadata = {name: value for name, value in metadata.items() if value}
        metadatas.append(metadata)
    return {"metadatas": metadatas, **({"documents": documents} if replacing else {})}


def write_record_cache(
    path: Path, kind: type[Lesson | Skill], state: str, stored: Iterable[StoredRecord[Any]]
) -> None:
    rows = [[entry.version, *vars(entry.record).values()] for entry in stored]
    content = json.dumps([VERSION, list_fields(kind), state, rows], separators=(",", ":"))
    # Without a cache, only the next start is slower.
    with suppress(OSError), replacing(path) as file:
        file.write(content)


def read_record_cache(
    path: Path, kind: type[Record], is_unchanged: Callable[[str], bool]
) -> list[StoredRecord[Record]] | None:
    """Return the cached records, sorted by ID, or None if the database has changed since."""
    known: dict[Any, Any] = {}  # many records have the same categories and times

    def share(value: Any) -> Any:
        return known.setdefault(value, value)

    try:
        with open_regular(path) as file:
            version, names, state, rows = json.load(file)
        if version != VERSION or names != list_fields(kind) or not is_unchanged(state):
            return None
        return [
            StoredRecord(kind(identity, text, share(tuple(paths)), *map(share, others)), written)
            for written, identity, text, paths, *others in rows
        ]
    except (OSError, ValueError, TypeError, RecursionError):
        return None
