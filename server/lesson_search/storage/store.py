"""Store lessons and skills in Chroma, the source of truth that indexes are built from."""

import logging
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic
from urllib.parse import urlsplit

from hookwright_console.errors import ReportedError
from hookwright_console.peers import is_loopback
from hookwright_retrieval.embedders import Vectors
from lesson_search.records import COLLECTIONS, Record
from lesson_search.storage.chroma import (
    FAILED_SYSTEMS,
    DamageError,
    Stamp,
    check_database,
    find_damage,
    ignoring_proxies,
    import_chroma,
    list_sessions,
    list_stamps,
    remove_vector_indexes,
    reopen_if_failed,
)
from lesson_search.storage.chroma_rows import (
    Reader,
    StoredRecord,
    list_fields,
    pack_records,
    read_vectors,
    read_version,
    sort,
)
from lesson_search.storage.record_cache import CachedRecords

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

REPLACEMENT = "{}.reindexed"  # the name of a new collection until it is complete
BATCH = 500  # records per write; an embedded Chroma blocks all threads meanwhile
PAUSE = 0.005  # seconds between batches, for searches that wait
PAGE = 1_000  # records per read
SHARED_PAGE = 300  # the limit of Chroma Cloud, for writes too
REMOVED = "Error finding id"  # Chroma's error when a record is removed during a read
TRIES = 3  # of such a read
FULL = "check free space and permissions"
TIMEOUT = 30  # seconds for an answer of a Chroma server
# Chroma's own vector index is never searched here, and building it well takes half of a write.
INDEX = {"hnsw": {"ef_construction": 4, "max_neighbors": 2}}


class StoreError(ReportedError):
    """The store cannot be used."""


def open_client(folder: Path) -> "ClientAPI":
    """Open an embedded Chroma in a folder, which is created if missing; raises StoreError."""
    chromadb = import_chroma("rust")
    way_out = "choose another --data folder, or make this one writable"
    with as_store_error(str(folder), "open", way_out, folder):
        folder.mkdir(parents=True, exist_ok=True)
        check_database(folder)
        remove_vector_indexes(folder)
        client: ClientAPI = chromadb.PersistentClient(
            folder, settings=chromadb.Settings(anonymized_telemetry=False)
        )
        return client


def connect_client(url: str, token: str = "") -> "ClientAPI":
    """Connect to a Chroma server.

    Args:
        url: Its URL, such as https://chroma.example.com:8000.
        token: Its token, or "".

    Raises:
        StoreError: The URL is invalid, or no Chroma answers there that accepts the token.

    """
    chromadb = import_chroma("fastapi")
    import httpx  # after Chroma, which leaves out its command line

    way_out = "expected a URL such as https://chroma.example.com:8000"
    if any(mark in url for mark in "@?#"):  # messages would show them
        raise StoreError(
            f"the Chroma URL has a user, password, query or fragment: {way_out}, with the token in"
            " LESSON_SEARCH_CHROMA_TOKEN"
        )
    with as_store_error(f"the Chroma URL {url!r}", "read", way_out):
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
            raise StoreError(f"{url!r} is not the URL of a Chroma server: {way_out}")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log every request
    # Chroma servers read the token from one of two headers.
    headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
    with (
        as_store_error(f"Chroma at {url}", "reach", "check that it runs and accepts the token"),
        ignoring_proxies() if is_loopback(parts.hostname) else nullcontext(),
    ):
        # Chroma itself has no timeout, and no setting for one.
        httpx.get(
            f"{url.rstrip('/')}/api/v2/heartbeat", headers=headers, timeout=TIMEOUT
        ).raise_for_status()
        client: ClientAPI = chromadb.HttpClient(
            parts.hostname,
            port,
            ssl=parts.scheme == "https",
            headers=headers,
            settings=chromadb.Settings(anonymized_telemetry=False),
        )
        for session in list_sessions(client):
            session.timeout = httpx.Timeout(TIMEOUT)
        return client


def close_client(client: "ClientAPI") -> None:
    """Close a client and its HTTP sessions."""
    for session in list_sessions(client):
        session.close()
    client.close()  # type: ignore[attr-defined] # both kinds of clients have it


class Store(Generic[Record]):
    """The records of one kind, each with its vector.

    Args:
        kind: Lesson or Skill.
        shared: Whether other servers may write to it.
        stamps: The stamps of the rows that were loaded or written, by id; None if it is shared, or
            was not loaded yet with cached records.

    """

    def __init__(
        self, client: "ClientAPI", kind: type[Record], embedder: str | None, name: str = ""
    ) -> None:
        """Open the collection for a kind of records, or create it.

        Args:
            client: The Chroma client.
            kind: Lesson or Skill.
            embedder: The name of the embedder; None to read a collection of any embedder.
            name: The name of the collection; "" for the default of the kind.

        Raises:
            StoreError: The collection has vectors of another embedder, or Chroma failed.

        """
        settings = client.get_settings()
        self.kind: type[Record] = kind
        self.stamps: dict[str, Stamp] | None = None
        self.shared = not settings.is_persistent
        self._client = client
        self._name = name or COLLECTIONS[kind]
        self._embedder = embedder
        self._page = SHARED_PAGE if self.shared else PAGE
        scheme = "https" if settings.chroma_server_ssl_enabled else "http"
        server = f"{scheme}://{settings.chroma_server_host}:{settings.chroma_server_http_port}"
        self._place = f"{self._name} in {server if self.shared else settings.persist_directory}"
        self._folder = None if self.shared else Path(settings.persist_directory)
        self._reader: Reader[Record] = Reader(kind, self._place)
        self._way_out = "check that Chroma runs" if self.shared else FULL
        self._collection = self._open()

    def __len__(self) -> int:
        return int(self._call("count", "read"))

    def save(self, records: Sequence[Record], vectors: Vectors) -> str:
        """Add or replace records with their vectors.

        Returns:
            The version of this write. The records are durable when this returns.

        Raises:
            StoreError: Chroma failed; some of the records may have been written.

        """
        version = uuid.uuid4().hex
        # Chroma refuses duplicate ids in one call.
        numbers = list({record.id: number for number, record in enumerate(records)}.values())
        size = min(BATCH, self._page)
        for start in range(0, len(numbers), size):
            batch = numbers[start : start + size]
            if start and not self.shared:
                time.sleep(PAUSE)
            self._write([records[number] for number in batch], vectors[batch], version)
            if self.stamps is not None:
                self.stamps |= self._list_stamps([records[number].id for number in batch])
        self._announce()
        return version

    def _write(self, records: Sequence[Record], vectors: Vectors, version: str) -> None:
        ids = [record.id for record in records]
        if self.shared:
            documents, metadatas = list_fields(records, version)
        else:
            found = self._call("get", "read", ids=ids, include=[])["ids"]
            documents, metadatas = pack_records(records, version, replacing=bool(found))
        columns = {"documents": documents, "embeddings": vectors, "metadatas": metadatas}
        self._call("upsert", "write", ids=ids, **columns)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove the records with these ids; return how many there were."""
        removed = 0
        for found in self._get(ids, []):
            if found["ids"]:
                self._call("delete", "write", ids=found["ids"])
                removed += len(found["ids"])
        if removed:
            self._announce()
        return removed

    def load(self, cached: CachedRecords[Record] | None = None) -> list[StoredRecord[Record]]:
        """Return all valid records by id; cached ones are read only if their rows changed."""
        if cached is None or self.shared:
            pages = self._list(["documents", "metadatas"])
            return sort(one for one, _ in self._reader.read(pages))
        number = len(self)  # before, Chroma completes a write that was cut short
        self.stamps = self._list_stamps()
        if len(self.stamps) != number:  # Chroma keeps its rows elsewhere
            self.stamps = None
            return self.load()
        same = {
            identity: stored
            for identity, (stamp, stored) in cached.items()
            if self.stamps.get(identity) == stamp
        }
        others = self.read(sorted(self.stamps.keys() - same))
        return sort(chain(same.values(), others))

    def read(self, ids: Sequence[str]) -> list[StoredRecord[Record]]:
        """Return the existing records of these ids, even if their vectors are unreadable."""
        pages = self._get(ids, ["documents", "metadatas"])
        return [one for one, _ in self._reader.read(pages)]

    def fetch(self, ids: Sequence[str]) -> tuple[list[StoredRecord[Record]], Vectors | None]:
        """Return the existing records of these ids, and their vectors.

        There are no vectors if Chroma has lost one: an embedded Chroma has only the latest.
        """
        for left in reversed(range(TRIES)):
            pages = self._get(ids, ["documents", "metadatas", "embeddings"])
            try:
                rows = list(self._reader.read(pages))
                break
            except StoreError as error:
                if REMOVED not in str(error):
                    raise
                if not self.shared:
                    return self.read(ids), None
                if not left:
                    raise
        vectors = [vector for _, vector in rows if vector is not None]
        return [one for one, _ in rows], read_vectors(vectors)

    def complete(self) -> None:
        """Mark this collection as complete, so that it can replace the old one."""
        self._call("modify", "write", metadata={"embedder": self._embedder, "complete": True})

    def list_versions(self) -> dict[str, str]:
        """Return the version of each valid record by its id."""
        return {
            identity: version
            for page in self._list(["metadatas"])
            for identity, metadata in zip(page["ids"], page["metadatas"], strict=True)
            if not self._reader.is_known_unfit(identity, version := read_version(metadata))
        }

    @property
    def has_unfit(self) -> bool:
        """Return whether any row read so far is invalid."""
        return self._reader.has_unfit

    def read_revision(self) -> str:
        """Return the revision, which changes whenever a server writes to a shared collection.

        Raises StoreError if the collection has vectors of another embedder by now.
        """
        if not self.shared:
            return ""
        self._collection = self._open()
        return f"{self._collection.id} {self._collection.metadata.get('revision', '')}"

    def _list_stamps(self, ids: Sequence[str] | None = None) -> dict[str, Stamp]:
        return list_stamps(self._folder, str(self._collection.id), ids) if self._folder else {}

    def _announce(self) -> None:
        """Change the revision, so that other servers load what was written."""
        if self.shared:
            metadata = {"embedder": self._embedder, "revision": uuid.uuid4().hex}
            self._call("modify", "write", metadata=metadata)

    def _open(self) -> "Collection":
        with as_store_error(self._place, "open", self._way_out, self._folder):
            collection = find_collection(self._client, self._name)
            if collection is None:
                finish_replacement(self._client, self._name)
                collection = self._client.get_or_create_collection(
                    self._name,
                    embedding_function=None,
                    metadata={"embedder": self._embedder},
                    # Others may search a shared Chroma.
                    configuration=None if self.shared else INDEX,  # type: ignore[arg-type]
                )
        found = (collection.metadata or {}).get("embedder")
        if self._embedder not in {None, found}:
            raise StoreError(
                f"the {self._name} were embedded with {found}, not {self._embedder}: run"
                f" lesson-search reindex --embedder {self._embedder}, or use --embedder {found}"
            )
        return collection

    def _call(self, method: str, doing: str, **arguments: Any) -> Any:
        """Call a method of the collection; `doing` is the verb for errors."""
        from chromadb.errors import NotFoundError

        way_out = self._way_out
        if "embeddings" in arguments.get("include", ()):
            way_out += ", or run lesson-search reindex"
        with as_store_error(self._place, doing, way_out, self._folder):
            reopen_if_failed(self._client)
            try:
                return getattr(self._collection, method)(**arguments)
            except NotFoundError:  # reindexed meanwhile: a new collection has the name
                self._collection = self._open()
                return getattr(self._collection, method)(**arguments)
            except Exception:
                FAILED_SYSTEMS.add(self._client._system)  # type: ignore[attr-defined] # noqa: SLF001
                raise

    def _list(self, include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Yield all rows, page by page; a server may return less than a full page."""
        start = 0
        while True:
            page = self._call("get", "read", limit=self._page, offset=start, include=include)
            if not page["ids"]:
                return
            yield page
            start += len(page["ids"])

    def _get(self, ids: Sequence[str], include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        once = list(dict.fromkeys(ids))
        for start in range(0, len(once), self._page):
            page = once[start : start + self._page]
            yield self._call("get", "read", ids=page, include=include)


def find_collection(client: "ClientAPI", name: str) -> "Collection | None":
    """Return the collection with a name, or None."""
    from chromadb.errors import NotFoundError

    try:
        # Without this argument Chroma would load an embedder of its own.
        return client.get_collection(name, embedding_function=None)
    except NotFoundError:
        return None


def finish_replacement(client: "ClientAPI", name: str) -> None:
    """Rename a complete replacement to the name of the removed collection."""
    replacement = find_collection(client, REPLACEMENT.format(name))
    if replacement and (replacement.metadata or {}).get("complete"):
        replacement.modify(name=name)


@contextmanager
def as_store_error(
    place: str, doing: str, way_out: str, folder: Path | None = None
) -> Iterator[None]:
    """Turn any error into a StoreError with one line.

    Args:
        place: The name of what is accessed.
        doing: The verb for the message, as in "cannot read".
        way_out: What to do about it, unless the database is damaged.
        folder: The folder of an embedded database, to check for damage.

    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - Chroma raises errors of many kinds
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        damage = reason if isinstance(error, DamageError) else folder and find_damage(folder)
        if damage:
            reason = damage
            way_out = "restore that folder from a backup, or remove it to start over"
        raise StoreError(f"cannot {doing} {place}: {reason} ({way_out})") from None
