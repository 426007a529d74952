"""The immutable search index of one collection.

Every change returns a new index, so a search keeps using the one it started with.
"""

from collections.abc import Sequence
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


@dataclass(frozen=True)
class RecordIndex(Generic[Record]):
    """Records, numbered from 0."""

    ranker: Ranker  # ranks the records by their numbers
    records: list[Record]  # the records by their numbers, ordered by id

    @staticmethod
    def build(embedder: Embedder, calibration: Calibration) -> "RecordIndex[Record]":
        return RecordIndex(Ranker(embedder, calibration), [])

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {record.id: number for number, record in enumerate(self.records)}

    @cached_property
    def duplicates(self) -> list[Duplicate]:
        vectors = self.ranker.index_data.vectors
        return find_duplicates(list(self.numbers), vectors, LEAST_COSINE, MOST_DUPLICATES)

    def replace(self, records: Sequence[Record], index_data: IndexData) -> "RecordIndex[Record]":
        """Return an index with more records, instead of those with the same ids."""
        start = len(self.records)
        places = self.numbers | {record.id: start + n for n, record in enumerate(records)}
        return self._select(
            self.records + list(records),
            self.ranker.index_data.extend(index_data),
            [places[identity] for identity in sorted(places)],
        )

    def remove(self, ids: Sequence[str]) -> "RecordIndex[Record]":
        removed = set(ids)
        kept = [number for number, one in enumerate(self.records) if one.id not in removed]
        return self._select(self.records, self.ranker.index_data, kept)

    def select_categories(self, categories: Sequence[str]) -> npt.NDArray[np.bool_] | None:
        """Return which records are in or below one of the categories; None without categories."""
        if not categories:
            return None
        prefixes = {category.strip("/") for category in categories}
        selected = [
            any(not prefixes.isdisjoint(list_broader(path)) for path in record.categories)
            for record in self.records
        ]
        return np.array(selected, bool)

    def _select(
        self, records: Sequence[Record], index_data: IndexData, numbers: Sequence[int]
    ) -> "RecordIndex[Record]":
        selected = index_data.select(np.array(numbers, np.int64))
        return RecordIndex(self.ranker.replace(selected), [records[number] for number in numbers])
