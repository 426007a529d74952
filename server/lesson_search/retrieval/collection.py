"""An in-memory collection of records: searchable, and synchronised with the store."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Generic

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import DECIMALS, sort_best
from hookwright_retrieval.embedders import Embedder, EmbedderError, Vectors
from lesson_search.records import Lesson, Record
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.ranking import (
    Evidence,
    IndexData,
    Ranker,
    build_index_data,
    hash_stored,
    read_index_cache,
    write_index_cache,
)
from lesson_search.storage.chroma import StoreError
from lesson_search.storage.rows import StoredRecord
from lesson_search.storage.store import Store
from lesson_search.taxonomy.categories import list_broader

ROWS = 128  # rows compared with all others at a time
LEAST_COSINE = 0.5  # lowest cosine of duplicates
MOST_DUPLICATES = 500
COMPARE_SECONDS = 60  # seconds between full comparisons: a server may die before announcing a write
CHUNK = 1_000  # records indexed at once
RECORDS = ".records"  # suffix of the record cache

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Duplicate:
    """The IDs of two records, and the cosine of their vectors."""

    first: str
    second: str
    cosine: float


def find_duplicates(
    ids: Sequence[str], vectors: Vectors, least: float, most: int
) -> list[Duplicate]:
    """Return the pairs of records with the most similar vectors, most similar first, then by ID.

    The IDs must be ascending, and the vectors of length 1 and shape (records, dimensions).
    """
    step = 0.1**DECIMALS
    pairs, nearest = np.zeros((0, 2), np.int64), np.zeros(0, np.float32)
    bar = np.float32(least - step)
    for start in range(0, len(ids), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors[start:].T
        cosines[np.tril_indices(*cosines.shape[:1])] = -1  # each pair once, no record with itself
        found = np.argwhere(cosines > bar + step / 4)  # some round up to the threshold
        pairs = np.concatenate([pairs, found + start])
        rounded = np.round(cosines[tuple(found.T)], DECIMALS)
        nearest = np.concatenate([nearest, np.minimum(rounded, 1)])
        if len(nearest) >= most:
            kept = sort_best(nearest)[:most]
            pairs, nearest = pairs[kept], nearest[kept]
            bar = nearest.min()
    order = sort_best(nearest)
    return [
        Duplicate(ids[first], ids[second], cosine)
        for (first, second), exact in zip(
            pairs[order].tolist(), nearest[order].tolist(), strict=True
        )
        if (cosine := round(exact, DECIMALS)) >= least
    ]


@dataclass(frozen=True)
class RecordIndex(Generic[Record]):
    """Records, numbered from 0."""

    ranker: Ranker  # ranks the records by number
    stored: list[StoredRecord[Record]]  # records by number, sorted by ID

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {entry.record.id: number for number, entry in enumerate(self.stored)}

    @cached_property
    def duplicates(self) -> list[Duplicate]:
        vectors = self.ranker.index_data.vectors
        return find_duplicates(list(self.numbers), vectors, LEAST_COSINE, MOST_DUPLICATES)

    def replace(
        self, stored: Sequence[StoredRecord[Record]], index_data: IndexData
    ) -> "RecordIndex[Record]":
        """Return an index with more records, which replace existing ones with the same IDs."""
        start = len(self.stored)
        places = self.numbers | {entry.record.id: start + n for n, entry in enumerate(stored)}
        return self._select(
            self.stored + list(stored),
            self.ranker.index_data.extend(index_data),
            [places[identity] for identity in sorted(places)],
        )

    def remove(self, ids: Iterable[str]) -> "RecordIndex[Record]":
        kept = [self.numbers[identity] for identity in self.numbers.keys() - ids]
        return self._select(self.stored, self.ranker.index_data, sorted(kept))

    @cached_property
    def places(self) -> dict[str, npt.NDArray[np.int64]]:
        """The numbers of each project's lessons, by project name."""
        found: dict[str, list[int]] = {}
        for number, entry in enumerate(self.stored):
            if isinstance(entry.record, Lesson) and entry.record.project:
                found.setdefault(entry.record.project, []).append(number)
        return {project: np.array(numbers, np.int64) for project, numbers in found.items()}

    def select(
        self, categories: Sequence[str], projects: Sequence[str] | None
    ) -> npt.NDArray[np.bool_] | None:
        """Return the searchable records, as in `Collection.search`; None for all."""
        others = [] if projects is None else [name for name in self.places if name not in projects]
        among = None
        if prefixes := {category.strip("/") for category in categories}:
            broader = [
                set(chain(*map(list_broader, entry.record.categories))) for entry in self.stored
            ]
            among = np.array([not prefixes.isdisjoint(paths) for paths in broader], bool)
        if others:
            among = np.ones(len(self.stored), bool) if among is None else among
            among[np.concatenate([self.places[project] for project in others])] = False
        return among

    def _select(
        self,
        stored: Sequence[StoredRecord[Record]],
        index_data: IndexData,
        numbers: Sequence[int],
    ) -> "RecordIndex[Record]":
        selected = index_data.select(np.array(numbers, np.int64))
        return RecordIndex(self.ranker.replace(selected), [stored[number] for number in numbers])


@dataclass(frozen=True)
class SearchResult(Generic[Record]):
    """A record relevant to a prompt, its score from 0 to 1, and the evidence."""

    record: Record
    score: float
    evidence: Evidence


class Collection(Generic[Record]):
    """All lessons or all skills; thread-safe, and searches never block.

    While the embedder is down, searching and ingesting fail. `cache` is the file of the index
    cache, or None; the record cache is next to it. Raises StoreError if the store cannot be read.
    """

    def __init__(
        self,
        store: Store[Record],
        embedder: Embedder,
        calibration: Calibration,
        cache: Path | None = None,
    ) -> None:
        self.calibration = calibration
        self.threshold = calibration.threshold
        self._store: Store[Record] = store
        self.embedder = embedder
        self._cache_path = cache
        self._writing = threading.Lock()  # guards changes to the fields below
        empty = build_index_data([], np.zeros((0, len(calibration.mean_vector)), np.float32))
        self._index: RecordIndex[Record] = RecordIndex(Ranker(embedder, calibration, empty), [])
        self._saved: RecordIndex[Record] | None = None  # the cached index
        self._unranked: set[str] = set()  # IDs of records that are not yet embedded
        self._behind = False  # whether the store may contain changes
        self._compared = time.monotonic()
        self._revision = store.read_revision()
        self._load()

    def __len__(self) -> int:
        return len(self._index.numbers)

    def get(self, identity: str) -> Record | None:
        index = self._index
        number = index.numbers.get(identity)
        return None if number is None else index.stored[number].record

    def list_records(self) -> list[Record]:
        return [entry.record for entry in self._index.stored]

    def ingest(self, records: Sequence[Record]) -> None:
        """Add or replace records; they are in the store when this method returns.

        Raises EmbedderError if nothing has changed, or StoreError: searches do not find the records
        yet, but the store may contain some.
        """
        records = list({record.id: record for record in records}.values())
        if not records:
            return
        texts = [record.text for record in records]
        vectors = self.embedder.embed_documents(texts)
        index_data = build_index_data(texts, vectors)
        with self._changing():
            version = self._store.save(records, vectors)
            stored = [StoredRecord(record, version) for record in records]
            self._index = self._index.replace(stored, index_data)

    def remove(self, ids: Sequence[str]) -> None:
        with self._changing():
            self._store.remove(ids)
            self._drop(ids)

    def search(
        self,
        prompt: str,
        most: int,
        least_score: float | None = None,
        categories: Sequence[str] = (),
        *,
        projects: Sequence[str] | None = None,
    ) -> list[SearchResult[Record]]:
        """Return the records most relevant to a prompt, best first; raises EmbedderError.

        The least score is from 0 to 1; None is the threshold. With `categories`, only records in or
        below one of them are returned. With `projects`, their lessons come first, and those of
        other projects are left out.
        """
        index = self._index
        least = self.threshold if least_score is None else least_score
        among = index.select(categories, projects)
        hits = [
            SearchResult(index.stored[hit.number].record, hit.score, hit.evidence)
            for hit in index.ranker.rank(prompt, most, least, among)
        ]
        if projects and index.places:
            hits.sort(key=lambda hit: not (isinstance(hit.record, Lesson) and hit.record.project))
        return hits

    def list_duplicates(self) -> list[Duplicate]:
        """Return the pairs of records with the most similar vectors, most similar first.

        After a change, the first call takes seconds for many records: do not call it concurrently.
        """
        return self._index.duplicates

    def catch_up(self) -> bool:
        """Load other servers' writes and embed new records; return whether anything changed.

        Without changes, this costs a single request. If it raises StoreError, nothing has changed.
        """
        changed = self._embed_missing()
        revision = self._store.read_revision()
        due = self._store.shared and time.monotonic() - self._compared >= COMPARE_SECONDS
        if revision == self._revision and not self._behind and not due:
            return changed
        with self._changing():
            changed |= self._compare(self._store.list_versions())
            self._behind = False
        self._revision, self._compared = revision, time.monotonic()
        return changed

    @property
    def unsaved(self) -> int:
        """The number of records that were added since the caches were written."""
        return len(self._index.stored) - len(self._saved.stored if self._saved else ())

    def save_cache(self) -> None:
        """Write the caches for a faster start, ignoring failures, unless nothing has changed."""
        if (cache := self._cache_path) is None:
            return
        with self._writing:
            index = self._index
            numbers = [n for key, n in index.numbers.items() if key not in self._unranked]
            stored = [index.stored[number] for number in numbers]
            if len(stored) == len(index.stored) and not self._behind:
                self._store.write_cache(cache.with_suffix(RECORDS), stored)
        if self._saved is not index:
            index_data = index.ranker.index_data.select(np.array(numbers, np.int64))
            write_index_cache(cache, self.embedder.name, map(hash_stored, stored), index_data)
            self._saved = index

    def _load(self) -> None:
        cache = self._cache_path
        stored = self._store.load(cache and cache.with_suffix(RECORDS))
        if cached := cache and read_index_cache(cache, self.embedder.name):
            places = {key: number for number, key in enumerate(cached.digests)}
            found = [(entry, places.get(hash_stored(entry))) for entry in stored]
            same = [entry for entry, number in found if number is not None]
            numbers = np.array([number for _, number in found if number is not None], np.int64)
            known = cached.index_data
            index_data = (
                known.select(numbers)
                if known
                else self._build_index_data(same, cached.vectors[numbers])
            )
            self._index = self._index.replace(same, index_data)
            self._saved = self._index if known else None
        found_ids = self._index.numbers
        self._fetch([entry.record.id for entry in stored if entry.record.id not in found_ids])

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._writing:
            try:
                yield
            except StoreError:
                self._behind = True
                raise

    def _compare(self, versions: Mapping[str, str]) -> bool:
        known = {entry.record.id: entry.version for entry in self._index.stored}
        differing = sorted({identity for identity, _ in known.items() ^ versions.items()})
        # Concurrent writes can hide a record from the listing, so a missing one is looked up by ID.
        existing = self._fetch(differing)
        self._drop([identity for identity in differing if identity not in existing])
        return bool(differing)

    def _fetch(self, ids: Sequence[str]) -> set[str]:
        existing: set[str] = set()
        lost = 0
        for start in range(0, len(ids), CHUNK):
            stored, vectors = self._store.fetch(ids[start : start + CHUNK])
            existing.update(entry.record.id for entry in stored)
            if stored:
                lost += len(stored) if vectors is None else 0
                index_data = self._build_index_data(stored, vectors)
                self._index = self._index.replace(stored, index_data)
        if lost:
            LOG.warning("embedded %d texts again, as their vectors were lost", lost)
        return existing

    def _build_index_data(
        self, stored: Sequence[StoredRecord[Record]], vectors: Vectors | None
    ) -> IndexData:
        texts = [entry.record.text for entry in stored]
        try:
            if vectors is None:
                vectors = self.embedder.embed_documents(texts)
        except EmbedderError:
            self._unranked.update(entry.record.id for entry in stored)
            vectors = np.zeros((len(texts), len(self.calibration.mean_vector)), np.float32)
        return build_index_data(texts, vectors)

    def _embed_missing(self) -> bool:
        if not self._unranked or not self.embedder.is_up:
            return False
        with self._writing:
            missing, self._unranked = self._unranked, set()
            stored = [entry for entry in self._index.stored if entry.record.id in missing]
            index_data = self._build_index_data(stored, None)
            if self._unranked:
                return False
            self._index = self._index.replace(stored, index_data)
            return True

    def _drop(self, ids: Sequence[str]) -> None:
        self._index = self._index.remove(ids)
        self._unranked.difference_update(ids)
