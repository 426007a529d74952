"""Convert between records and rows of Chroma."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Vectors, scale
from lesson_search import validation
from lesson_search.records import Lesson, Record, Skill

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredRecord(Generic[Record]):
    """A record in the store.

    Args:
        record: The record.
        version: Its version, which changes with every write, or "".

    """

    record: Record
    version: str


class Reader(Generic[Record]):
    """Reads the rows of a collection, and skips invalid ones, which another program may write."""

    def __init__(self, kind: type[Record], place: str) -> None:
        """Read rows of one kind.

        Args:
            kind: Lesson or Skill.
            place: The name of the collection in messages.

        """
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
                metadata = page["metadatas"][number] or {}
                version = read_version(metadata)
                try:
                    record = read_record(self._kind, identity, page["documents"][number], metadata)
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
        """Return whether any row read so far is invalid."""
        return bool(self._unfit)

    def is_known_unfit(self, identity: str, version: str) -> bool:
        """Return whether this version of a row was read before and is invalid."""
        return self._unfit.get(identity) == version


def read_record(
    kind: type[Record], identity: str, text: str | None, metadata: Mapping[str, object]
) -> Record:
    """Return the record in a row.

    Raises:
        RefusedError: A field is invalid.

    """
    known = {field.name for field in fields(kind)}
    values = {name: value for name, value in metadata.items() if name in known - {"id", "text"}}
    classified = bool(values.pop("classified", False))
    texts = {name: str(value) for name, value in values.items()}
    categories = tuple(filter(None, texts.pop("categories", "").split(",")))
    validation.check_id(identity)
    validation.check_text(text or "")
    validation.check_categories(categories)
    validation.check_source("source_file", texts.get("source_file", ""))
    validation.check_source("source", texts.get("source", ""))
    validation.check_name("trigger", texts.get("trigger", ""))
    validation.check_moment(texts.get("created_at", ""))
    return kind(id=identity, text=text or "", categories=categories, classified=classified, **texts)


def sort(stored: Iterable[StoredRecord[Record]]) -> list[StoredRecord[Record]]:
    """Return records, each once, ordered by id."""
    latest = {one.record.id: one for one in stored}
    return [latest[identity] for identity in sorted(latest)]


def read_version(metadata: Mapping[str, object] | None) -> str:
    """Return the version of a row, which changes with every write, or ""."""
    return str((metadata or {}).get("written", ""))


def read_vectors(rows: list[Vectors]) -> Vectors:
    """Return vectors scaled to length 1, of shape (rows, dimensions), even invalid ones."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(rows, np.float64)  # so that no square overflows
    return scale(np.where(np.isfinite(vectors), vectors, 0))


def write_metadata(
    record: "Lesson | Skill", version: str, *, shared: bool
) -> dict[str, str | bool | None]:
    """Return the metadata of a record in Chroma: all fields but id and text.

    Each level of the categories has its own field, for Chroma's filters. An embedded Chroma takes
    time for each field, so empty ones are None, which removes them; some servers refuse None.
    """
    metadata: dict[str, str | bool | None] = dict(vars(record))
    for name in ("id", "text"):
        del metadata[name]
    metadata["categories"] = ",".join(record.categories)
    for level in range(3):
        paths = ("/".join(path.split("/")[: level + 1]) for path in record.categories)
        metadata[f"category_l{level}"] = ",".join(dict.fromkeys(paths))
    if not shared:
        metadata = {name: value or None for name, value in metadata.items()}
    return {**metadata, "written": version}
