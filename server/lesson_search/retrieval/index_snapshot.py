"""The records of one kind at one moment, ranked.

A shelf never changes: who changes something makes another, and who searches keeps the one it has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Embedder
from lesson_search.records import Record
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.ranking import Derived, Ranker
from lesson_search.taxonomy.categories import list_broader

STALE = 0.25  # the share of what was replaced or removed at which that is left out of the ranking


@dataclass(frozen=True)
class IndexSnapshot(Generic[Record]):
    """Records, which have numbers from 0 on; some may no longer count.

    Args:
        ranker: What ranks them, by their numbers.
        records: By their numbers.
        numbers: Of the record of each id that counts.
        current: Which numbers count, of shape (records,).

    """

    ranker: Ranker
    records: list[Record]
    numbers: Mapping[str, int]
    current: npt.NDArray[np.bool_]

    @staticmethod
    def build(embedder: Embedder, calibration: Calibration) -> "IndexSnapshot[Record]":
        """Return an empty shelf, for what an embedder embeds, ranked by its calibration."""
        return IndexSnapshot(Ranker(embedder, calibration), [], {}, np.zeros(0, bool))

    def put(self, records: Sequence[Record], derived: Derived) -> "IndexSnapshot[Record]":
        """Return a shelf with records, each of another id, in the place of those that had theirs.

        Args:
            records: The records.
            derived: What they are ranked by.

        """
        ranker = self.ranker.copy()
        ranker.take(derived)
        start = len(self.records)
        current = np.concatenate([self.current, np.ones(len(records), bool)])
        current[self._list_numbers([record.id for record in records])] = False
        numbers = {record.id: start + place for place, record in enumerate(records)}
        numbers = {**self.numbers, **numbers}
        return settle(IndexSnapshot(ranker, self.records + list(records), numbers, current))

    def drop(self, ids: Sequence[str]) -> "IndexSnapshot[Record]":
        """Return a shelf without the records of these ids."""
        current = self.current.copy()
        current[self._list_numbers(ids)] = False
        gone = set(ids)
        numbers = {one: number for one, number in self.numbers.items() if one not in gone}
        return settle(IndexSnapshot(self.ranker, self.records, numbers, current))

    def tidy(self) -> "IndexSnapshot[Record]":
        """Return a shelf with the same records, in the order of their ids, and no other."""
        ids = sorted(self.numbers)
        numbers = np.array([self.numbers[identity] for identity in ids], np.int64)
        ranker = self.ranker.select(numbers)
        records = [self.records[number] for number in numbers.tolist()]
        places = {identity: place for place, identity in enumerate(ids)}
        return IndexSnapshot(ranker, records, places, np.ones(len(ids), bool))

    def choose(self, categories: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return which numbers count, and are below one of the categories if there are any."""
        if not categories:
            return self.current
        prefixes = {category.strip("/") for category in categories}
        chosen: npt.NDArray[np.bool_] = self.current.copy()
        for number in np.flatnonzero(chosen).tolist():
            paths = self.records[number].categories
            chosen[number] = any(not prefixes.isdisjoint(list_broader(path)) for path in paths)
        return chosen

    def _list_numbers(self, ids: Sequence[str]) -> list[int]:
        """Return the numbers of the records of these ids that count."""
        return [self.numbers[identity] for identity in ids if identity in self.numbers]


def settle(shelf: IndexSnapshot[Record]) -> IndexSnapshot[Record]:
    """Return a shelf, tidied where many of its records no longer count."""
    stale = len(shelf.records) - len(shelf.numbers)
    return shelf.tidy() if stale > STALE * len(shelf.records) else shelf
