"""Convert between records and rows of Chroma."""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Vectors, scale
from lesson_search.records import Record, take_fields
from lesson_search.validation import check_id, check_record

LOG = logging.getLogger(__name__)
PACKED = "record"  # the field of an embedded Chroma that had all others until version 0.2
LEVELS = ("category_l0", "category_l1", "category_l2")  # the fields of the levels of categories


@dataclass(frozen=True)
class StoredRecord(Generic[Record]):
    """A record in the store."""

    record: Record
    version: str  # its version, which changes with every write, or ""


class Reader(Generic[Record]):
    """Reads the rows of a collection, and skips invalid ones, which another program may write."""

    def __init__(self, kind: type[Record], place: str) -> None:
        self._kind: type[Record] = kind
        self._place = place
        self._unfit: dict[str, str] = {}  # versions of invalid rows by their ids

    def read(
        self, pages: Iterable[Mapping[str, Any]]
    ) -> Iterator[tuple[StoredRecord[Record], Vectors | None]]:
        """Yield the records of pages, each with its vector if the pages have vectors."""
        skipped: list[str] = []
        for page in pages:
            vectors = page["embeddings"]
            for number, identity in enumerate(page["ids"]):
                metadata = page["metadatas"][number]
                version = read_version(metadata)
                try:
                    values = read_fields(metadata)
                    text = page["documents"][number] or values.get("text")
                    record = read_record(self._kind, identity, text, values)
                except RefusedError as error:
                    self._unfit[identity] = version
                    skipped.append(f"'{shorten(identity)}': {error}")
                    continue
                self._unfit.pop(identity, None)
                yield StoredRecord(record, version), None if vectors is None else vectors[number]
        if skipped:
            LOG.warning(
                "%s: skipped %d invalid records, such as %s",
                *(self._place, len(skipped), skipped[0]),
            )

    @property
    def has_unfit(self) -> bool:
        return bool(self._unfit)

    def is_known_unfit(self, identity: str, version: str) -> bool:
        return self._unfit.get(identity) == version


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
    latest = {one.record.id: one for one in stored}
    return [latest[identity] for identity in sorted(latest)]


def read_fields(metadata: Mapping[str, object] | None) -> Mapping[str, object]:
    """Return the fields of a row, which stand alone or, as before version 0.2, in one of them.

    A field that stands alone counts, for another program wrote it later.
    """
    metadata = metadata or {}
    packed = metadata.get(PACKED)
    if packed is None:
        return metadata
    version, _, content = str(packed).partition(" ")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise RefusedError(f"{PACKED} is not a version and JSON: remove the row")
    return {**values, "written": version, **metadata}


def read_version(metadata: Mapping[str, object] | None) -> str:
    """Return the version of a row, which changes with every write, or ""."""
    metadata = metadata or {}
    return str(metadata.get("written", str(metadata.get(PACKED, "")).partition(" ")[0]))


def read_vectors(rows: list[Vectors]) -> Vectors:
    """Return vectors scaled to length 1, of shape (rows, dimensions), even invalid ones."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(rows, np.float64)  # so that no square overflows
    return scale(np.where(np.isfinite(vectors), vectors, 0))


def build_columns(
    rows: Sequence[StoredRecord[Any]],
    *,
    shared: bool,
    replacing: bool,
) -> dict[str, list[Any]]:
    """Return what Chroma is to store of records besides their ids and vectors.

    Each field is one of the metadata, and so is each level of the categories, for Chroma's filters.
    In an embedded Chroma the text is, too: of a document it would index each three letters, which
    takes longer than all else. Empty fields are left out there, as each takes as long as another,
    unless they replace others.
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
        removed = [{PACKED: None, **{name: one[name] or None for name in one}} for one in metadatas]
        return {"documents": [""] * len(rows), "metadatas": removed}
    return {"metadatas": [{name: one[name] for name in one if one[name]} for one in metadatas]}
