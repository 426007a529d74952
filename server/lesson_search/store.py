"""Keep lessons and skills in Chroma, which is the truth: what ranks them is made from it anew."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from lesson_search.embedders import Vectors
from lesson_search.records import Lesson, Skill

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

Record = TypeVar("Record", Lesson, Skill)

COLLECTIONS = {Lesson: "lessons", Skill: "skills"}
BATCH = 500  # records that are written at once


class StoreError(Exception):
    """What keeps a store from being used, in one line with the way out."""


def open_client(folder: Path) -> "ClientAPI":
    """Return a Chroma that keeps its files in a folder, which is made where it is missing.

    Raises StoreError where it cannot be opened.
    """
    import chromadb  # noqa: PLC0415 - it takes a second
    from chromadb.config import Settings  # noqa: PLC0415

    try:
        folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
    except Exception as error:  # noqa: BLE001 - Chroma raises whatever its core does
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise StoreError(f"{folder} cannot be opened: {reason}") from None


class Store(Generic[Record]):
    """The records of one kind, each with its vector."""

    def __init__(self, client: "ClientAPI", kind: type[Record], embedder: str) -> None:
        """Open the collection of a kind of records, or make it.

        Args:
            client: The Chroma that it is in.
            kind: Lesson or Skill.
            embedder: The name of what the vectors come from.

        Raises:
            StoreError: The collection has vectors of another embedder.

        """
        self._kind: type[Record] = kind
        self._collection: Collection = client.get_or_create_collection(
            COLLECTIONS[kind], embedding_function=None, metadata={"embedder": embedder}
        )
        found = (self._collection.metadata or {}).get("embedder")
        if found != embedder:
            raise StoreError(
                f"the {COLLECTIONS[kind]} were embedded by {found}, not by {embedder}: "
                f"run lesson-search reindex --embedder {embedder}, or go on with {found}"
            )

    def __len__(self) -> int:
        """Return how many records there are."""
        return self._collection.count()

    def save(self, records: Sequence[Record], vectors: Vectors) -> None:
        """Write records, each in the place of one that had its id, with their vectors.

        What has been written when this returns outlives the process, however that ends.
        """
        latest = {record.id: number for number, record in enumerate(records)}
        numbers = list(latest.values())  # Chroma takes no id twice at once
        for start in range(0, len(numbers), BATCH):
            batch = numbers[start : start + BATCH]
            self._collection.upsert(
                ids=[records[number].id for number in batch],
                documents=[records[number].text for number in batch],
                embeddings=vectors[batch],
                metadatas=[write_metadata(records[number]) for number in batch],
            )

    def remove(self, ids: Sequence[str]) -> int:
        """Remove the records of these ids; return how many there were."""
        found = self._collection.get(ids=list(ids), include=[])["ids"] if ids else []
        if found:
            self._collection.delete(ids=found)
        return len(found)

    def load(self) -> tuple[list[Record], Vectors]:
        """Return all records, in the order of their ids, and their vectors."""
        found = self._collection.get(include=["documents", "metadatas", "embeddings"])
        rows = zip(found["ids"], found["documents"] or (), found["metadatas"] or (), strict=True)
        records = [self._read(*row) for row in rows]
        order = sorted(range(len(records)), key=lambda number: records[number].id)
        vectors = np.asarray(found["embeddings"], np.float32)
        return [records[number] for number in order], vectors[order] if records else vectors

    def _read(self, identity: str, text: str, metadata: Mapping[str, object]) -> Record:
        """Return a record as it was written."""
        known = {field.name for field in fields(self._kind)}
        values = {name: str(value) for name, value in metadata.items() if name in known}
        categories = tuple(filter(None, values.pop("categories", "").split(",")))
        record: Record = self._kind(id=identity, text=text, categories=categories, **values)
        return record


def write_metadata(record: "Lesson | Skill") -> dict[str, str]:
    """Return what Chroma keeps of a record besides its id and text.

    The categories stand there at each level, too, so that Chroma's own filters find those below.
    """
    metadata = {name: value for name, value in asdict(record).items() if name not in {"id", "text"}}
    metadata["categories"] = ",".join(record.categories)
    for level in range(3):
        paths = ("/".join(path.split("/")[: level + 1]) for path in record.categories)
        metadata[f"category_l{level}"] = ",".join(dict.fromkeys(paths))
    return metadata
