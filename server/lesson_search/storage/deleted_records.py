"""The deleted records: their ids, so that ingesting does not bring them back, and the latest."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

import numpy as np

from lesson_search.records import COLLECTIONS, CollectionName, Key, Lesson, Skill, find_key
from lesson_search.storage.chroma import AnyChroma
from lesson_search.storage.store import Store

MAX_RECORDS = 200  # that can be brought back
NAME = "{}.deleted"  # the name of Chroma's collection
EMBEDDER = "none"


class DeletedRecords:
    """The deleted records of all collections; of each, only the id is kept.

    Every method may raise StoreError.
    """

    def __init__(self, chroma: AnyChroma) -> None:
        self._stores = {
            collection: Store(chroma, Lesson, EMBEDDER, NAME.format(collection))
            for collection in COLLECTIONS.values()
        }

    def add(self, keys: Iterable[Key]) -> None:
        for collection, ids in group(keys).items():
            rows = [Lesson(identity, "deleted") for identity in ids]
            self._stores[collection].save(rows, np.zeros((len(rows), 1), np.float32))

    def forget(self, keys: Iterable[Key]) -> None:
        for collection, ids in group(keys).items():
            self._stores[collection].remove(ids)

    def find(self, keys: Collection[Key]) -> set[Key]:
        return {
            (collection, stored.record.id)
            for collection, ids in group(keys).items()
            for stored in self._stores[collection].read(ids)
        }

    def list_all(self) -> list[Key]:
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


@dataclass(frozen=True)
class Deletion:
    """A deleted record as it was."""

    collection: CollectionName
    deleted_at: str  # in ISO 8601 in UTC
    record: Lesson | Skill


class RecentDeletions:
    """The records deleted last, which can be brought back until the server stops.

    They are kept in memory alone: a lesson may be deleted for a secret in it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deletions: OrderedDict[Key, Deletion] = OrderedDict()

    def add(self, record: Lesson | Skill) -> None:
        """Keep a record that was just deleted, instead of an earlier one with its id."""
        key = find_key(record)
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self._lock:
            self._deletions.pop(key, None)
            self._deletions[key] = Deletion(key[0], now, record)
            while len(self._deletions) > MAX_RECORDS:
                self._deletions.popitem(last=False)

    def list_latest(self) -> list[Deletion]:
        with self._lock:
            return list(reversed(self._deletions.values()))
