"""Hold the records of one kind in memory, ranked, and in step with the store."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
import numpy.typing as npt

from lesson_search.categories import under
from lesson_search.embedders import Embedder
from lesson_search.ranking import THRESHOLDS, Ranker
from lesson_search.store import Record, Store

STALE = 0.25  # the share of what was replaced or removed at which the ranking is made anew


@dataclass(frozen=True)
class Found(Generic[Record]):
    """A record that matters to a prompt, and the score from 0 to 1."""

    record: Record
    score: float


class Library(Generic[Record]):
    """All lessons, or all skills. Threads may use it at the same time."""

    def __init__(self, store: Store[Record], embedder: Embedder) -> None:
        """Load what the store has.

        Args:
            store: Where the records are kept.
            embedder: What embedded them.

        """
        self._store: Store[Record] = store
        self._embedder = embedder
        self._lock = threading.RLock()
        self._records: list[Record] = []  # by the number that the ranker gave each
        self._numbers: dict[str, int] = {}  # of the record of an id that counts
        self._current: npt.NDArray[np.bool_] = np.zeros(0, bool)  # which numbers count
        self._load()
        self._renew()

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self._numbers)

    def get(self, identity: str) -> Record | None:
        """Return the record of an id, or None."""
        with self._lock:
            number = self._numbers.get(identity)
            return None if number is None else self._records[number]

    def list_records(self) -> list[Record]:
        """Return all records, in the order of their ids."""
        with self._lock:
            return [self._records[self._numbers[identity]] for identity in sorted(self._numbers)]

    def ingest(self, records: Sequence[Record]) -> None:
        """Add records, each in the place of one that had its id; of two of one id the last counts.

        They are in the store when this returns. Raises what the embedder or the store raises, and
        then none of them is found.
        """
        records = list({record.id: record for record in records}.values())
        vectors = self._embedder.embed_documents([record.text for record in records])
        with self._lock:
            self._store.save(records, vectors)
            start = len(self._records)
            self._ranker.add([record.text for record in records], vectors)
            self._records += records
            self._numbers.update({record.id: start + n for n, record in enumerate(records)})
            self._renew()

    def remove(self, ids: Sequence[str]) -> int:
        """Remove the records of these ids; return how many there were."""
        with self._lock:
            removed = self._store.remove(ids)
            for identity in ids:
                self._numbers.pop(identity, None)
            self._renew()
            return removed

    def search(
        self,
        prompt: str,
        most: int,
        least_score: float | None = None,
        categories: Sequence[str] = (),
    ) -> list[Found[Record]]:
        """Return the records that matter most to a prompt, the best first.

        Args:
            prompt: Any text.
            most: How many to return at the most.
            least_score: What a record has to score, from 0 to 1; None for the embedder's own.
            categories: Only records below one of these; all where there is none.

        """
        least = THRESHOLDS[self._embedder.name] if least_score is None else least_score
        with self._lock:
            matches = self._ranker.rank(prompt, most, least, self._select(categories))
            return [Found(self._records[match.number], match.score) for match in matches]

    def _select(self, categories: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return which of the ranker's numbers count, and are below one of the categories."""
        if not categories:
            return self._current
        selected: npt.NDArray[np.bool_] = self._current.copy()
        for number in np.flatnonzero(selected):
            paths = self._records[number].categories
            selected[number] = any(under(path, categories) for path in paths)
        return selected

    def _renew(self) -> None:
        """Note which numbers count; where many no longer do, rank from the store anew."""
        if len(self._records) - len(self._numbers) > STALE * len(self._records):
            self._load()
        self._current = np.zeros(len(self._records), bool)
        self._current[list(self._numbers.values())] = True

    def _load(self) -> None:
        """Take all records from the store."""
        records, vectors = self._store.load()
        ranker = Ranker(self._embedder)
        if records:
            ranker.add([record.text for record in records], vectors)
        self._ranker, self._records = ranker, records
        self._numbers = {record.id: number for number, record in enumerate(records)}
