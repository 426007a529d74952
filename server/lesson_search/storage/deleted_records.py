"""The ids of deleted records, so that ingesting their files again does not bring them back."""

from collections.abc import Collection, Iterable

import numpy as np

from lesson_search.records import COLLECTIONS, CollectionName, Lesson
from lesson_search.storage.chroma_server import AnyChroma
from lesson_search.storage.store import Store

NAME = "{}.deleted"  # the name of Chroma's collection
EMBEDDER = "none"

Key = tuple[CollectionName, str]  # the collection of a record, and its id


class DeletedRecords:
    """The deleted records of all collections; of each, only the id is kept."""

    def __init__(self, chroma: AnyChroma) -> None:
        """Open the store of each collection, or create it; raises StoreError."""
        self._stores = {
            collection: Store(chroma, Lesson, EMBEDDER, NAME.format(collection))
            for collection in COLLECTIONS.values()
        }

    def add(self, keys: Iterable[Key]) -> None:
        """Note records as deleted; raises StoreError."""
        for collection, ids in group(keys).items():
            rows = [Lesson(identity, "deleted") for identity in ids]
            self._stores[collection].save(rows, np.zeros((len(rows), 1), np.float32))

    def forget(self, keys: Iterable[Key]) -> None:
        """Note records as not deleted; raises StoreError."""
        for collection, ids in group(keys).items():
            self._stores[collection].remove(ids)

    def find(self, keys: Collection[Key]) -> set[Key]:
        """Return which of these records were deleted; raises StoreError."""
        return {
            (collection, stored.record.id)
            for collection, ids in group(keys).items()
            for stored in self._stores[collection].read(ids)
        }

    def list_all(self) -> list[Key]:
        """Return all deleted records, ordered by id; raises StoreError."""
        return [
            (collection, stored.record.id)
            for collection, store in self._stores.items()
            for stored in store.load()
        ]


def group(keys: Iterable[Key]) -> dict[CollectionName, list[str]]:
    grouped: dict[CollectionName, list[str]] = {}
    for collection, identity in keys:
        grouped.setdefault(collection, []).append(identity)
    return grouped
