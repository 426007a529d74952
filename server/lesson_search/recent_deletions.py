"""Keep what was deleted last, so that it can be brought back until the server stops.

It is kept in memory alone: a lesson may be deleted for a secret that is in it.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timezone

from lesson_search.records import COLLECTIONS, CollectionName, Lesson, Skill

MAX_RECORDS = 200  # records, the latest


@dataclass(frozen=True)
class Deletion:
    """A deleted record.

    Args:
        record: The record as it was.
        time: When it was deleted, in ISO 8601 in UTC.

    """

    record: Lesson | Skill
    time: str

    @property
    def collection(self) -> CollectionName:
        """The collection that it was in."""
        return COLLECTIONS[type(self.record)]


class RecentDeletions:
    """The records deleted last; for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deletions: OrderedDict[tuple[CollectionName, str], Deletion] = OrderedDict()

    def add(self, record: Lesson | Skill) -> None:
        """Keep a record that was just deleted, instead of an earlier one with its id."""
        deletion = Deletion(record, datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
        key = (deletion.collection, record.id)
        with self._lock:
            self._deletions.pop(key, None)
            self._deletions[key] = deletion
            while len(self._deletions) > MAX_RECORDS:
                self._deletions.popitem(last=False)

    def list_latest(self) -> list[Deletion]:
        with self._lock:
            return list(reversed(self._deletions.values()))
