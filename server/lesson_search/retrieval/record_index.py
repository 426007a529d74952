"""The immutable search index of one collection.

Every change returns a new index, so a search keeps using the one it started with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.embedders import Embedder
from lesson_search.records import Record
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.duplicates import Duplicate, find_duplicates
from lesson_search.retrieval.ranking import IndexData, Ranker
from lesson_search.taxonomy.categories import list_broader

LEAST_COSINE = 0.5  # of duplicates
MOST_DUPLICATES = 500
STALE = 0.25  # the share of replaced and removed records at which an index is compacted


@dataclass(frozen=True)
class RecordIndex(Generic[Record]):
    """Records, numbered from 0; replaced and removed ones stay until the index is compacted.

    Args:
        ranker: Ranks the records by their numbers.
        records: The records by their numbers.
        numbers: The number of each current record by its id.
        current: Whether each number is current, of shape (records,).

    """

    ranker: Ranker
    records: list[Record]
    numbers: Mapping[str, int]
    current: npt.NDArray[np.bool_]

    @staticmethod
    def build(embedder: Embedder, calibration: Calibration) -> "RecordIndex[Record]":
        """Return an empty index for an embedder and its calibration."""
        return RecordIndex(Ranker(embedder, calibration), [], {}, np.zeros(0, bool))

    @cached_property
    def ordered(self) -> list[Record]:
        """The current records, ordered by id, which are listed far more often than changed."""
        return [self.records[self.numbers[identity]] for identity in sorted(self.numbers)]

    @cached_property
    def duplicates(self) -> list[Duplicate]:
        """The nearest pairs of current records, which take seconds to find among many."""
        ids = [record.id for record in self.ordered]
        numbers = np.array([self.numbers[identity] for identity in ids], np.int64)
        wholes = self.ranker.gather().wholes[numbers]
        return find_duplicates(ids, wholes, LEAST_COSINE, MOST_DUPLICATES)

    def replace(self, records: Sequence[Record], index_data: IndexData) -> "RecordIndex[Record]":
        """Return an index with more records; those with the same ids are replaced.

        Args:
            records: The records, each with another id.
            index_data: Their index data.

        """
        ranker = self.ranker.copy()
        ranker.extend(index_data)
        start = len(self.records)
        current = np.concatenate([self.current, np.ones(len(records), bool)])
        current[self._list_numbers([record.id for record in records])] = False
        numbers = {record.id: start + place for place, record in enumerate(records)}
        numbers = {**self.numbers, **numbers}
        return compact_if_stale(RecordIndex(ranker, self.records + list(records), numbers, current))

    def remove(self, ids: Sequence[str]) -> "RecordIndex[Record]":
        """Return an index without the records of these ids."""
        current = self.current.copy()
        current[self._list_numbers(ids)] = False
        removed = set(ids)
        numbers = {one: number for one, number in self.numbers.items() if one not in removed}
        return compact_if_stale(RecordIndex(self.ranker, self.records, numbers, current))

    def compact(self) -> "RecordIndex[Record]":
        """Return an index of only the current records, ordered by id."""
        ids = sorted(self.numbers)
        numbers = np.array([self.numbers[identity] for identity in ids], np.int64)
        ranker = self.ranker.select(numbers)
        records = [self.records[number] for number in numbers.tolist()]
        places = {identity: place for place, identity in enumerate(ids)}
        return RecordIndex(ranker, records, places, np.ones(len(ids), bool))

    def select_categories(self, categories: Sequence[str]) -> npt.NDArray[np.bool_] | None:
        """Return which records are current and in or below one of the categories, if any given.

        None stands for all.
        """
        if not categories:
            return self.current if len(self.numbers) < len(self.records) else None
        prefixes = {category.strip("/") for category in categories}
        selected: npt.NDArray[np.bool_] = self.current.copy()
        for number in np.flatnonzero(selected).tolist():
            paths = self.records[number].categories
            selected[number] = any(not prefixes.isdisjoint(list_broader(path)) for path in paths)
        return selected

    def _list_numbers(self, ids: Sequence[str]) -> list[int]:
        return [self.numbers[identity] for identity in ids if identity in self.numbers]


def compact_if_stale(index: RecordIndex[Record]) -> RecordIndex[Record]:
    stale = len(index.records) - len(index.numbers)
    return index.compact() if stale > STALE * len(index.records) else index
