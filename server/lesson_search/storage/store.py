"""Store lessons and skills in Chroma, the source of truth from which indexes are built."""

import logging
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic

import numpy as np

from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import Embedder, Vectors
from lesson_search.records import COLLECTIONS, CollectionName, Key, Lesson, Record, Skill
from lesson_search.storage.chroma import (
    AnyChroma,
    MissingCollectionError,
    StoreError,
    as_store_error,
)
from lesson_search.storage.rows import (
    StoredRecord,
    build_columns,
    read_fields,
    read_record,
    read_record_cache,
    read_vectors,
    read_version,
    write_record_cache,
)

REPLACEMENT = "{}.reindexed"  # name of a new collection until it is complete
BATCH = 500  # records per write; an embedded Chroma blocks all threads meanwhile
PAUSE = 0.005  # seconds between batches, to let searches run
REMOVED = "Error finding id"  # Chroma's error for a lost or concurrently removed vector
LOG = logging.getLogger(__name__)
EMBEDDED = 200  # records embedded at a time
ASIDE = "{}.replaced-{}"  # new name of an old collection with invalid rows

NAME = "{}.deleted"  # name of the Chroma collection
EMBEDDER = "none"


class Store(Generic[Record]):
    """The records of one kind, each with its vector; a missing collection is created.

    Without an embedder's name, a collection of any embedder is read. Raises StoreError.
    """

    def __init__(
        self,
        chroma: AnyChroma,
        kind: type[Record],
        embedder: str | None,
        name: str = "",
    ) -> None:
        self.kind: type[Record] = kind
        self.shared = chroma.shared
        self._chroma = chroma
        self._name = name or COLLECTIONS[kind]
        self._embedder = embedder
        self._place = f"{self._name} in {chroma.place}"
        self.unfit: dict[str, str] = {}  # versions of invalid rows by ID
        self._cached_state = ""  # the state of the database when the cache was written
        self._is_open = False
        self._open()

    def save(self, records: Sequence[Record], vectors: Vectors) -> str:
        """Add or replace records with their vectors; return the version of this durable write.

        If it raises StoreError, some of the records may have been written.
        """
        version = uuid.uuid4().hex
        # Chroma refuses duplicate IDs in a call.
        numbers = list({record.id: number for number, record in enumerate(records)}.values())
        size = min(BATCH, self._chroma.page)
        for start in range(0, len(numbers), size):
            batch = numbers[start : start + size]
            if start and not self.shared:
                time.sleep(PAUSE)
            rows = [StoredRecord(records[number], version) for number in batch]
            ids = [row.record.id for row in rows]
            replacing = self.shared or self._call("get", "read", ids=ids, include=[])["ids"]
            columns = build_columns(rows, shared=self.shared, replacing=bool(replacing))
            self._call("upsert", "write", ids=ids, embeddings=vectors[batch], **columns)
        self._announce()
        return version

    def remove(self, ids: Sequence[str]) -> None:
        for found in self._get(ids, []):
            if found["ids"]:
                self._call("delete", "write", ids=found["ids"])
                self._announce()

    def load(self, cache: Path | None = None) -> list[StoredRecord[Record]]:
        """Return all valid records by ID, from a cache if nothing was written since."""
        if cache is not None:
            cached = read_record_cache(cache, self.kind, self._chroma.is_unchanged)
            if cached is not None:
                return cached
        pages = self._list(["documents", "metadatas"])
        stored = {entry.record.id: entry for entry, _ in self._read(pages)}
        return [stored[identity] for identity in sorted(stored)]

    def write_cache(self, cache: Path, stored: Sequence[StoredRecord[Record]]) -> None:
        state = self._chroma.read_state()
        if state != self._cached_state:
            write_record_cache(cache, self.kind, state, stored)
            self._cached_state = state

    def read(self, ids: Sequence[str]) -> list[StoredRecord[Record]]:
        """Return the existing records with these IDs, even if their vectors are unreadable."""
        return [entry for entry, _ in self._read(self._get(ids, ["documents", "metadatas"]))]

    def fetch(self, ids: Sequence[str]) -> tuple[list[StoredRecord[Record]], Vectors | None]:
        """Return the existing records with these IDs, and their vectors.

        There are no vectors if Chroma has lost one (an embedded Chroma keeps only the latest), or
        if one was removed meanwhile.
        """
        try:
            pages = self._get(ids, ["documents", "metadatas", "embeddings"])
            rows = list(self._read(pages))
        except StoreError as error:
            if REMOVED not in str(error):
                raise
            return self.read(ids), None
        vectors = [vector for _, vector in rows if vector is not None]
        return [entry for entry, _ in rows], read_vectors(vectors)

    def list_versions(self) -> dict[str, str]:
        return {
            identity: version
            for page in self._list(["metadatas"])
            for identity, metadata in zip(page["ids"], page["metadatas"], strict=True)
            if self.unfit.get(identity) != (version := read_version(metadata))
        }

    def read_revision(self) -> str:
        """Return the revision, which changes whenever a server writes to a shared collection.

        Raises StoreError if the collection now has vectors from another embedder.
        """
        return self._open() if self.shared else ""

    def _read(
        self, pages: Iterable[Mapping[str, Any]]
    ) -> Iterator[tuple[StoredRecord[Record], Vectors | None]]:
        """Yield the records of pages, each with its vector if the pages contain vectors.

        Invalid rows, which other programs may have written, are skipped.
        """
        skipped: list[str] = []
        for page in pages:
            vectors = page["embeddings"]
            for number, identity in enumerate(page["ids"]):
                metadata = page["metadatas"][number]
                version = read_version(metadata)
                try:
                    fields = read_fields(metadata)
                    text = page["documents"][number] or fields.get("text")
                    record = read_record(self.kind, identity, text, fields)
                except RefusedError as error:
                    self.unfit[identity] = version
                    skipped.append(f"'{shorten(identity)}': {error}")
                    continue
                self.unfit.pop(identity, None)
                yield StoredRecord(record, version), None if vectors is None else vectors[number]
        if skipped:
            LOG.warning(
                "%s: skipped %d invalid records, such as %s",
                *(self._place, len(skipped), skipped[0]),
            )

    def _announce(self) -> None:
        if self.shared:
            metadata = {"embedder": self._embedder, "revision": uuid.uuid4().hex}
            self._call("modify", "write", metadata=metadata)

    def _open(self) -> str:
        """Create the collection if missing; return its revision."""
        chroma, name, self._is_open = self._chroma, self._name, False
        with as_store_error(self._place, "open", chroma.way_out, chroma.folder):
            found = chroma.find(name)
            if found is None:
                finish_replacement(chroma, name)
                chroma.create(name, {"embedder": self._embedder or ""})
                found = chroma.find(name)
            if found is None:
                raise MissingCollectionError
        identity, metadata = found
        if self._embedder not in {None, metadata.get("embedder")}:
            raise StoreError(
                f"the {name} were embedded with {metadata.get('embedder')}, not {self._embedder}:"
                f" run lesson-search reindex --embedder {self._embedder}, or use --embedder"
                f" {metadata.get('embedder')}"
            )
        self._is_open = True
        return f"{identity} {metadata.get('revision', '')}"

    def _call(self, method: str, doing: str, **arguments: Any) -> Any:
        """Call a method of the collection; `doing` is the action named in errors."""
        way_out = self._chroma.way_out
        if "embeddings" in arguments.get("include", ()):
            way_out += ", or run lesson-search reindex"
        if not self._is_open:
            self._open()
        with as_store_error(self._place, doing, way_out, self._chroma.folder):
            try:
                return self._chroma.call(self._name, method, **arguments)
            except MissingCollectionError:  # reindexed meanwhile; the name refers to a new one
                self._open()
                return self._chroma.call(self._name, method, **arguments)

    def _list(self, include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Yield all rows, page by page; a server may return fewer rows than a full page."""
        start = 0
        while True:
            page = self._call("get", "read", limit=self._chroma.page, offset=start, include=include)
            if not page["ids"]:
                return
            yield page
            start += len(page["ids"])

    def _get(self, ids: Sequence[str], include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        once = list(dict.fromkeys(ids))
        for start in range(0, len(once), self._chroma.page):
            page = once[start : start + self._chroma.page]
            yield self._call("get", "read", ids=page, include=include)


def finish_replacement(chroma: AnyChroma, name: str) -> None:
    """Rename a complete replacement to the name of the removed collection."""
    replacement = REPLACEMENT.format(name)
    found = chroma.find(replacement)
    if found and found[1].get("complete"):
        chroma.call(replacement, "modify", name=name)


def reindex(
    chroma: AnyChroma, embedder: Embedder, progress: Callable[[int, int], object]
) -> dict[CollectionName, int]:
    """Embed all records again; return the number of records by collection.

    `progress` is called with the number of a collection's records done, and their total. Raises
    EmbedderError if the store is unchanged, or StoreError; new collections that were already
    complete are used.
    """
    return {
        COLLECTIONS[Lesson]: replace_collection(chroma, Lesson, embedder, progress),
        COLLECTIONS[Skill]: replace_collection(chroma, Skill, embedder, progress),
    }


def replace_collection(
    chroma: AnyChroma,
    kind: type[Record],
    embedder: Embedder,
    progress: Callable[[int, int], object],
) -> int:
    name = COLLECTIONS[kind]
    replacement = REPLACEMENT.format(name)
    source: Store[Record] = Store(chroma, kind, None)  # finishes an interrupted replacement
    with as_store_error(f"the {name}", "replace", "run this again"):
        if chroma.find(replacement):
            chroma.delete(replacement)
    target = Store(chroma, kind, embedder.name, replacement)
    number = copy_records(source, target, embedder, progress)
    with as_store_error(f"the {name}", "replace", "run this again"):
        complete = {"embedder": embedder.name, "complete": True}
        chroma.call(replacement, "modify", metadata=complete)
        if source.unfit:
            aside = ASIDE.format(name, uuid.uuid4().hex[:8])
            chroma.call(name, "modify", name=aside)
            LOG.warning("%s: invalid records stay in the collection %s", name, aside)
        else:
            chroma.delete(name)
        finish_replacement(chroma, name)
    return number


def copy_records(
    source: Store[Record],
    target: Store[Record],
    embedder: Embedder,
    progress: Callable[[int, int], object],
) -> int:
    """Copy all records with new vectors until no new writes are found; return their number."""
    copied: dict[str, str] = {}
    while (versions := source.list_versions()) != copied:
        ids = [version for version in versions if copied.get(version) != versions[version]]
        target.remove([identity for identity in copied if identity not in versions])
        copied = {identity: copied[identity] for identity in copied if identity in versions}
        for start in range(0, len(ids), EMBEDDED):
            stored = source.read(ids[start : start + EMBEDDED])
            records = [entry.record for entry in stored]
            target.save(records, embedder.embed_documents([record.text for record in records]))
            copied.update({entry.record.id: entry.version for entry in stored})
            progress(len(copied), len(versions))
    return len(copied)


class DeletedRecords:
    """The deleted records of all collections; only their IDs are kept.

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
