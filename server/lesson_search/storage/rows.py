"""Convert records to and from Chroma rows, and cache the records.

Reading all records from Chroma is slow, so they are cached in a file, which is valid while the
database is unchanged.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Vectors, scale
from lesson_search.records import (
    Record,
    check_id,
    check_record,
    list_fields,
    take_fields,
)

LOG = logging.getLogger(__name__)
LEVELS = ("category_l0", "category_l1", "category_l2")  # fields of the category levels
VERSION = 2  # version of the cache format
DIGEST = 32  # bytes


@dataclass(frozen=True)
class StoredRecord(Generic[Record]):
    """A record in the store."""

    record: Record
    version: str  # changes with every write, or ""


class Reader(Generic[Record]):
    """Reads a collection's rows, skipping invalid ones, which other programs may have written."""

    def __init__(self, kind: type[Record], place: str) -> None:
        self._kind: type[Record] = kind
        self._place = place
        self.unfit: dict[str, str] = {}  # versions of invalid rows by ID

    def read(
        self, pages: Iterable[Mapping[str, Any]]
    ) -> Iterator[tuple[StoredRecord[Record], Vectors | None]]:
        """Yield the records of pages, each with its vector if the pages contain vectors."""
        skipped: list[str] = []
        for page in pages:
            vectors = page["embeddings"]
            for number, identity in enumerate(page["ids"]):
                metadata = page["metadatas"][number]
                version = read_version(metadata)
                try:
                    values = metadata or {}
                    text = page["documents"][number] or values.get("text")
                    record = read_record(self._kind, identity, text, values)
                except RefusedError as error:
                    self.unfit[identity] = version
                    skipped.append(f"'{shorten(identity)}': {error}")
                    continue
                self.unfit.pop(identity, None)
                yield StoredRecord(record, version), None if vectors is None else vectors[number]
        if skipped:
            LOG.warning(
                "%s: skipped %d invalid records, such as %s",
                *(self._place, len(skipped), skipped[0]),
            )


def read_record(
    kind: type[Record], identity: str, text: object, metadata: Mapping[str, object]
) -> Record:
    row: dict[str, Any] = {name: str(value) for name, value in metadata.items()}
    row["categories"] = filter(None, row.get("categories", "").split(","))
    row["classified"] = bool(metadata.get("classified"))
    return check_record(
        take_fields(kind, {**row, "id": check_id(identity), "text": str(text or "")})
    )


def sort(stored: Iterable[StoredRecord[Record]]) -> list[StoredRecord[Record]]:
    latest = {entry.record.id: entry for entry in stored}
    return [latest[identity] for identity in sorted(latest)]


def read_version(metadata: Mapping[str, object] | None) -> str:
    """Return the version of a row, which changes with every write, or ""."""
    return str((metadata or {}).get("written", ""))


def read_vectors(rows: list[Vectors]) -> Vectors:
    """Return vectors scaled to length 1, of shape (rows, dimensions), even invalid ones."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(rows, np.float64)  # prevents overflow when squaring
    return scale(np.where(np.isfinite(vectors), vectors, 0))


def build_columns(
    rows: Sequence[StoredRecord[Any]],
    *,
    shared: bool,
    replacing: bool,
) -> dict[str, list[Any]]:
    """Return Chroma's columns for records, except IDs and vectors.

    Each field is a metadata entry, and so is each category level, for Chroma's filters. An embedded
    Chroma also stores the text as metadata, because it would index every three letters of a
    document, which takes longer than everything else. It stores no empty fields, which take as long
    to write as others, unless they replace existing values.
    """
    metadatas: list[dict[str, Any]] = []
    for row in rows:
        categories = row.record.categories
        metadata = {**vars(row.record), "categories": ",".join(categories), "written": row.version}
        del metadata["id"]
        for level, name in enumerate(LEVELS, start=1):
            paths = ("/".join(path.split("/")[:level]) for path in categories)
            metadata[name] = ",".join(dict.fromkeys(paths))
        metadatas.append(metadata)
    if shared:
        documents = [metadata.pop("text") for metadata in metadatas]
        return {"documents": documents, "metadatas": metadatas}
    if replacing:
        removed = [{name: metadata[name] or None for name in metadata} for metadata in metadatas]
        return {"documents": [""] * len(rows), "metadatas": removed}
    return {
        "metadatas": [
            {name: metadata[name] for name in metadata if metadata[name]} for metadata in metadatas
        ]
    }


def write_record_cache(
    path: Path, kind: type[Record], state: str, stored: Iterable[StoredRecord[Record]]
) -> None:
    rows = [(entry.version, list(vars(entry.record).values())) for entry in stored]
    content = json.dumps([VERSION, list_fields(kind), state, rows], separators=(",", ":")).encode()
    # Without a cache, only the next start is slower.
    with suppress(OSError), replacing(path, "wb") as file:
        file.write(hash_content(content) + content)


def read_record_cache(
    path: Path, kind: type[Record], is_unchanged: Callable[[str], bool]
) -> list[StoredRecord[Record]] | None:
    """Return the cached records, sorted by ID, or None if the database has changed since."""
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
