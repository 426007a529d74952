"""Hold the records of one kind in memory, ranked, and in step with the store."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

import numpy as np

from lesson_search.embedders import Embedder, EmbedderError, Vectors
from lesson_search.records import Record
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.index_cache import digest, read_snapshot, write_snapshot
from lesson_search.retrieval.index_snapshot import IndexSnapshot
from lesson_search.retrieval.ranking import Derived, derive, split_passages
from lesson_search.storage.chroma_rows import Stored
from lesson_search.storage.store import Store, StoreError

COMPARE_SECONDS = 60  # between looks for what a server wrote that died before it said so
CHUNK = 1_000  # records that are derived from at once
MUCH = 0.1  # the share of records that had to be derived anew at which a snapshot is worth writing


@dataclass(frozen=True)
class Found(Generic[Record]):
    """A record that matters to a prompt, and the score from 0 to 1."""

    record: Record
    score: float


class Collection(Generic[Record]):
    """All lessons, or all skills. Threads may use it at the same time; no search waits for others.

    Args:
        embedder: What embeds the records and the prompts.
        threshold: What a record has to score to be given, where nobody says another score.

    """

    def __init__(
        self,
        store: Store[Record],
        embedder: Embedder,
        calibration: Calibration,
        snapshot: Path | None = None,
    ) -> None:
        """Load what the store has.

        Args:
            store: Where the records are kept.
            embedder: What embedded them. It may be down: then nothing can be searched or ingested.
            calibration: The embedder's.
            snapshot: The file that what is derived from the records is kept in, if any.

        Raises:
            StoreError: The store cannot be read.

        """
        self.threshold = calibration.threshold
        self._store: Store[Record] = store
        self.embedder = embedder
        self._snapshot = snapshot
        self._writing = threading.Lock()  # held by who changes what stands below
        self._shelf: IndexSnapshot[Record] = IndexSnapshot.build(embedder, calibration)
        self._written: dict[str, str] = {}  # what the store says of each record's writing
        self._saved: IndexSnapshot[Record] | None = None  # what the snapshot has
        self._unranked: set[str] = set()  # the records whose passages could not be embedded
        self._behind = False  # whether the store may have something else
        self._compared = time.monotonic()
        self._revision = store.read_revision()
        self._load()

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self._shelf.numbers)

    def get(self, identity: str) -> Record | None:
        """Return the record of an id, or None."""
        shelf = self._shelf
        number = shelf.numbers.get(identity)
        return None if number is None else shelf.records[number]

    def list_records(self) -> list[Record]:
        """Return all records, in the order of their ids."""
        shelf = self._shelf
        return [shelf.records[shelf.numbers[identity]] for identity in sorted(shelf.numbers)]

    def ingest(self, records: Sequence[Record]) -> None:
        """Add records, each in the place of one that had its id; of two of one id the last counts.

        They are in the store when this returns.

        Args:
            records: Any number.

        Raises:
            EmbedderError: They cannot be embedded, and nothing has changed.
            StoreError: They cannot be written. None is found, but some may be in the store.

        """
        records = list({record.id: record for record in records}.values())
        if not records:
            return
        texts = [record.text for record in records]
        vectors = self.embedder.embed_documents(texts)
        derived = derive(texts, vectors, self.embedder)
        with self._writing:
            try:
                written = self._store.save(records, vectors)
            except StoreError:
                self._behind = True
                raise
            self._put([Stored(record, written) for record in records], derived)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove the records of these ids; return how many there were.

        Raises StoreError where the store cannot be written.
        """
        with self._writing:
            try:
                removed = self._store.remove(ids)
            except StoreError:
                self._behind = True
                raise
            self._drop(ids)
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
            least_score: What a record has to score, from 0 to 1; None for the threshold.
            categories: Only records below one of these; all where there is none.

        Raises:
            EmbedderError: The prompt cannot be embedded.

        """
        shelf = self._shelf
        least = self.threshold if least_score is None else least_score
        matches = shelf.ranker.rank(prompt, most, least, shelf.choose(categories))
        return [Found(shelf.records[match.number], match.score) for match in matches]

    def catch_up(self) -> bool:
        """Take over what other servers wrote, and rank what the embedder was down for.

        That costs one request where there is nothing new.

        Returns:
            Whether something changed.

        Raises:
            StoreError: The store cannot be read; all goes on with what is known.

        """
        changed = self._rank_rest()
        revision = self._store.read_revision()
        due = self._store.shared and time.monotonic() - self._compared >= COMPARE_SECONDS
        if revision == self._revision and not self._behind and not due:
            return changed
        self._behind, behind = False, self._behind
        try:
            written = self._store.list_written()
            with self._writing:
                changed |= self._compare(written)
        except StoreError:
            self._behind |= behind
            raise
        self._revision, self._compared = revision, time.monotonic()
        return changed

    def save_snapshot(self) -> None:
        """Keep what was derived, for a quicker start; without the room for it nothing happens."""
        if self._snapshot is None or self._saved is self._shelf:
            return
        with self._writing:
            shelf, written = self._shelf, dict(self._written)
            ids = sorted(shelf.numbers.keys() - self._unranked)
        numbers = np.array([shelf.numbers[identity] for identity in ids], np.int64)
        texts = (shelf.records[number].text for number in numbers)
        digests = [
            digest(identity, written[identity], text)
            for identity, text in zip(ids, texts, strict=True)
        ]
        derived = shelf.ranker.gather().select(numbers)
        write_snapshot(self._snapshot, self.embedder.name, digests, derived)
        self._saved = shelf

    def _load(self) -> None:
        """Take all records from the store, and what is still true of them from the snapshot."""
        stored = self._store.load()
        kept = self._snapshot and read_snapshot(self._snapshot, self.embedder.name)
        digests, derived = kept or ([], None)
        places = {key: number for number, key in enumerate(digests)}
        found = [places.get(digest(one.record.id, one.written, one.record.text)) for one in stored]
        if derived:
            numbers = np.array([n for n in found if n is not None], np.int64)
            same = [one for one, n in zip(stored, found, strict=True) if n is not None]
            self._put(same, derived.select(numbers))
        others = [one.record.id for one, n in zip(stored, found, strict=True) if n is None]
        self._fetch(others)
        if not others:
            self._saved = self._shelf
            return
        self._shelf = self._shelf.tidy()
        if len(others) > MUCH * len(stored):
            self.save_snapshot()

    def _compare(self, written: Mapping[str, str]) -> bool:
        """Take over what differs from what the store says; return whether something did."""
        ids = self._written.keys() | written.keys()
        differing = sorted(one for one in ids if self._written.get(one) != written.get(one))
        # What is missing may only have been on no page, because of others that came or went.
        there = self._fetch(differing)
        self._drop([one for one in differing if one not in there])
        return bool(differing)

    def _fetch(self, ids: Sequence[str]) -> set[str]:
        """Take over the records of these ids from the store; return which there are."""
        there: set[str] = set()
        for start in range(0, len(ids), CHUNK):
            stored, vectors = self._store.fetch(ids[start : start + CHUNK])
            there.update(one.record.id for one in stored)
            news = [
                number
                for number, one in enumerate(stored)
                if self._written.get(one.record.id) != one.written
            ]
            if news:
                changed = [stored[number] for number in news]
                self._put(changed, self._derive([one.record for one in changed], vectors[news]))
        return there

    def _derive(self, records: Sequence[Record], vectors: Vectors) -> Derived:
        """Return what records of the store are ranked by: not their passages while it is down."""
        texts = [record.text for record in records]
        try:
            return derive(texts, vectors, self.embedder)
        except EmbedderError:
            self._unranked.update(record.id for record in records if split_passages(record.text))
            return derive(texts, vectors, None)

    def _rank_rest(self) -> bool:
        """Rank what the embedder was down for; return whether there was any, and it is up again."""
        if not self._unranked:
            return False
        with self._writing:
            shelf = self._shelf
            ids = sorted(self._unranked & shelf.numbers.keys())
            records = [shelf.records[shelf.numbers[identity]] for identity in ids]
            numbers = [shelf.numbers[identity] for identity in ids]
            vectors = shelf.ranker.gather().wholes[numbers]
            self._unranked = set()
            derived = self._derive(records, vectors)
            if self._unranked:
                return False
            self._shelf = shelf.put(records, derived)
            return True

    def _put(self, stored: Sequence[Stored[Record]], derived: Derived) -> None:
        """Let records count, as they are in the store now."""
        self._written.update({one.record.id: one.written for one in stored})
        self._shelf = self._shelf.put([one.record for one in stored], derived)

    def _drop(self, ids: Sequence[str]) -> None:
        """Let the records of these ids no longer count."""
        self._shelf = self._shelf.drop(ids)
        for identity in ids:
            self._written.pop(identity, None)
            self._unranked.discard(identity)
