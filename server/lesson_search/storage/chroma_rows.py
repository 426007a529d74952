"""Read a row of Chroma as the record that it is, and write a record as one."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.text import show
from lesson_search import validation
from lesson_search.embedders import Vectors, scale
from lesson_search.records import Lesson, Record, Skill

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredRecord(Generic[Record]):
    """A record as it is in the store.

    Args:
        record: The record.
        written: What tells this writing of it from any other, or "".

    """

    record: Record
    written: str


class Reader(Generic[Record]):
    """Reads the rows of a collection; those that another program wrote may be no records.

    Such a row is left alone: it is skipped, noted, and told of.
    """

    def __init__(self, kind: type[Record], place: str) -> None:
        """Know of no row yet.

        Args:
            kind: Lesson or Skill.
            place: Where the rows are, for messages.

        """
        self._kind: type[Record] = kind
        self._place = place
        self._unfit: dict[str, str] = {}  # how those that are no records were written, by their ids

    def read(
        self, pages: Iterable[Mapping[str, Any]]
    ) -> Iterator[tuple[StoredRecord[Record], Vectors | None]]:
        """Yield the records of pages, and the vectors where the pages have them."""
        skipped: list[str] = []
        for page in pages:
            vectors = page["embeddings"]
            for number, identity in enumerate(page["ids"]):
                metadata = page["metadatas"][number] or {}
                written = read_version(metadata)
                try:
                    record = read_record(self._kind, identity, page["documents"][number], metadata)
                except RefusedError as error:
                    self._unfit[identity] = written
                    skipped.append(f"'{show(identity)}': {error}")
                    continue
                self._unfit.pop(identity, None)
                yield StoredRecord(record, written), None if vectors is None else vectors[number]
        if skipped:
            LOG.warning(
                "%s: left alone what is no record, %d in all, such as %s",
                *(self._place, len(skipped), skipped[0]),
            )

    @property
    def has_unfit(self) -> bool:
        """Tell whether something that was read is no record."""
        return bool(self._unfit)

    def is_known_unfit(self, identity: str, written: str) -> bool:
        """Tell whether this writing of a row was read before, and was no record."""
        return self._unfit.get(identity) == written


def read_record(
    kind: type[Record], identity: str, text: str | None, metadata: Mapping[str, object]
) -> Record:
    """Return the record that a row holds.

    Raises:
        RefusedError: It is none that could have been ingested.

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


def read_version(metadata: Mapping[str, object] | None) -> str:
    """Return what tells the writing of a row from any other, or ""."""
    return str((metadata or {}).get("written", ""))


def read_vectors(rows: list[Vectors]) -> Vectors:
    """Return vectors at length 1, of shape (rows, dimensions), whoever wrote them."""
    if not rows:
        return np.zeros((0, 0), np.float32)
    vectors = np.asarray(rows, np.float64)  # in which no square is too large
    return scale(np.where(np.isfinite(vectors), vectors, 0))


def write_metadata(record: "Lesson | Skill", written: str) -> dict[str, str | bool]:
    """Return what Chroma keeps of a record besides its id and text.

    The categories stand there at each level, too, so that Chroma's own filters find those below.
    """
    metadata = {name: value for name, value in asdict(record).items() if name not in {"id", "text"}}
    metadata["categories"] = ",".join(record.categories)
    for level in range(3):
        paths = ("/".join(path.split("/")[: level + 1]) for path in record.categories)
        metadata[f"category_l{level}"] = ",".join(dict.fromkeys(paths))
    return {**metadata, "written": written}
