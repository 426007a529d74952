"""Keep lessons and skills in Chroma, which is the truth: what ranks them is made from it anew."""

import logging
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic
from urllib.parse import urlsplit
from weakref import WeakSet

import httpx

from hookwright_console.errors import ReportedError
from hookwright_console.peers import is_loopback
from lesson_search.embedders import Vectors
from lesson_search.records import COLLECTIONS, Record
from lesson_search.storage.chroma import (
    DamageError,
    check_database,
    find_damage,
    ignoring_proxies,
    import_chroma,
)
from lesson_search.storage.chroma_rows import (
    Reader,
    StoredRecord,
    read_vectors,
    read_version,
    write_metadata,
)

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection
    from chromadb.config import System

REPLACEMENT = "{}.reindexed"  # what takes a collection's place once it is complete
BATCH = 200  # records that are written at once; an embedded Chroma lets no thread run meanwhile
PAUSE = 0.005  # seconds between batches, in which searches that waited are done
PAGE = 1_000  # records that are read at once
SHARED_PAGE = 300  # as many as Chroma Cloud allows
REMOVED = "Error finding id"  # what Chroma says where another removes what it is reading
TRIES = 3  # to read in spite of that
TIMEOUT = 30  # seconds that a Chroma server has for an answer


FAILED_SYSTEMS: "WeakSet[System]" = WeakSet()  # in which something failed


class StoreError(ReportedError):
    """What keeps a store from being used, in one line with the way out."""


def open_client(folder: Path) -> "ClientAPI":
    """Return a Chroma that keeps its files in a folder, which is made where it is missing.

    Raises StoreError where it cannot be opened.
    """
    chromadb = import_chroma()
    way_out = "name another folder, or make it yours to write"
    with as_store_error(str(folder), "opened", way_out, folder):
        folder.mkdir(parents=True, exist_ok=True)
        check_database(folder)
        client: ClientAPI = chromadb.PersistentClient(
            folder, settings=chromadb.Settings(anonymized_telemetry=False)
        )
        return client


def connect_client(url: str, token: str = "") -> "ClientAPI":
    """Return the Chroma that a server has.

    Args:
        url: Where it is, such as https://chroma.example.com:8000.
        token: What it wants to be shown, or "".

    Raises:
        StoreError: The URL is none, or no Chroma that takes the token answers there.

    """
    chromadb = import_chroma()
    way_out = "write it like https://chroma.example.com:8000"
    if any(mark in url for mark in "@?#"):  # messages would show what stands there
        raise StoreError(
            f"the Chroma URL holds a user, a password, a query or a fragment: {way_out}, and put"
            " the token into LESSON_SEARCH_CHROMA_TOKEN"
        )
    with as_store_error(f"the Chroma URL {url!r}", "read", way_out):
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
            raise StoreError(f"{url!r} is no URL of a Chroma server: {way_out}")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would tell of each request
    # Servers look for a token in one of two places.
    headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
    with (
        as_store_error(f"Chroma at {url}", "reached", "see that it runs there and takes the token"),
        ignoring_proxies() if is_loopback(parts.hostname) else nullcontext(),
    ):
        # Chroma itself would wait for an answer for ever, and has no setting for it.
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
    """Release what a client holds."""
    for session in list_sessions(client):
        session.close()
    client.close()  # type: ignore[attr-defined] # as both kinds of clients have it


def reopen_if_failed(client: "ClientAPI") -> None:
    """Open an embedded Chroma anew in which something failed, such as a write to a full disk.

    Half the time, the next write to it would never end.
    """
    system = client._system  # type: ignore[attr-defined] # noqa: SLF001 - it has no public way
    if system in FAILED_SYSTEMS and system.settings.is_persistent:
        with suppress(AttributeError):  # it is stopped already
            system.stop()
        system.start()
    FAILED_SYSTEMS.discard(system)


def list_sessions(client: "ClientAPI") -> list[httpx.Client]:
    """Return the HTTP sessions of a client, which Chroma neither limits nor closes."""
    if client.get_settings().is_persistent:
        return []
    owners: list[Any] = [client, client._admin_client]  # type: ignore[attr-defined] # noqa: SLF001
    return [owner._server._session for owner in owners]  # noqa: SLF001


class Store(Generic[Record]):
    """The records of one kind, each with its vector.

    Args:
        shared: Whether other servers may write to it, too.

    """

    def __init__(
        self, client: "ClientAPI", kind: type[Record], embedder: str | None, name: str = ""
    ) -> None:
        """Open the collection of a kind of records, or make it.

        Args:
            client: The Chroma that it is in.
            kind: Lesson or Skill.
            embedder: The name of what the vectors come from; None, whatever that is, for reading a
                collection that there is.
            name: The collection's name, if it is not that of the kind.

        Raises:
            StoreError: The collection has vectors of another embedder, or Chroma fails.

        """
        settings = client.get_settings()
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
        self._way_out = (
            "see that Chroma runs there" if self.shared else "see to the disk's space and rights"
        )
        self._collection = self._open()

    def __len__(self) -> int:
        """Return how many records there are."""
        return int(self._call("count", "read"))

    def save(self, records: Sequence[Record], vectors: Vectors) -> str:
        """Write records, each in the place of one that had its id, with their vectors.

        Returns:
            What tells this writing from any other. What has been written when this returns
            outlives the process, however that ends.

        Raises:
            StoreError: Chroma fails; some of the records may have been written.

        """
        written = uuid.uuid4().hex
        latest = {record.id: number for number, record in enumerate(records)}
        numbers = list(latest.values())  # Chroma takes no id twice at once
        for start in range(0, len(numbers), BATCH):
            batch = numbers[start : start + BATCH]
            if start and not self.shared:
                time.sleep(PAUSE)
            self._call(
                "upsert",
                "written",
                ids=[records[number].id for number in batch],
                documents=[records[number].text for number in batch],
                embeddings=vectors[batch],
                metadatas=[write_metadata(records[number], written) for number in batch],
            )
        self._announce()
        return written

    def remove(self, ids: Sequence[str]) -> int:
        """Remove the records of these ids; return how many there were.

        Raises StoreError where Chroma fails.
        """
        removed = 0
        for found in self._get(ids, []):
            if found["ids"]:
                self._call("delete", "written", ids=found["ids"])
                removed += len(found["ids"])
        if removed:
            self._announce()
        return removed

    def load(self) -> list[StoredRecord[Record]]:
        """Return all records, in the order of their ids, but what is none.

        Raises StoreError where Chroma fails.
        """
        pages = self._list(["documents", "metadatas"])
        stored = {one.record.id: one for one, _ in self._reader.read(pages)}
        return [stored[identity] for identity in sorted(stored)]

    def read(self, ids: Sequence[str]) -> list[StoredRecord[Record]]:
        """Return the records of these ids that there are, which needs no vector to be readable.

        Raises StoreError where Chroma fails.
        """
        pages = self._get(ids, ["documents", "metadatas"])
        return [one for one, _ in self._reader.read(pages)]

    def fetch(self, ids: Sequence[str]) -> tuple[list[StoredRecord[Record]], Vectors]:
        """Return the records of these ids that there are, and their vectors.

        Raises StoreError where Chroma fails.
        """
        for left in reversed(range(TRIES)):
            pages = self._get(ids, ["documents", "metadatas", "embeddings"])
            try:
                rows = list(self._reader.read(pages))
                break
            except StoreError as error:
                if not (self.shared and left and REMOVED in str(error)):
                    raise
        vectors = [vector for _, vector in rows if vector is not None]
        return [one for one, _ in rows], read_vectors(vectors)

    def complete(self) -> None:
        """Note that this collection may replace the one that its name says.

        Raises StoreError where Chroma fails.
        """
        self._call("modify", "written", metadata={"embedder": self._embedder, "complete": True})

    def list_versions(self) -> dict[str, str]:
        """Return what tells the present writing of each record from any other, by its id.

        What is known to be none is not there.

        Raises StoreError where Chroma fails.
        """
        return {
            identity: written
            for page in self._list(["metadatas"])
            for identity, metadata in zip(page["ids"], page["metadatas"], strict=True)
            if not self._reader.is_known_unfit(identity, written := read_version(metadata))
        }

    @property
    def has_unfit(self) -> bool:
        """Tell whether what was read so far has something that is no record."""
        return self._reader.has_unfit

    def read_revision(self) -> str:
        """Return what changes whenever a server has written to a shared collection.

        Raises StoreError where Chroma fails, or another embedder's vectors are in it now.
        """
        if not self.shared:
            return ""
        self._collection = self._open()
        return f"{self._collection.id} {self._collection.metadata.get('revision', '')}"

    def _announce(self) -> None:
        """Let other servers know that something was written."""
        if self.shared:
            metadata = {"embedder": self._embedder, "revision": uuid.uuid4().hex}
            self._call("modify", "written", metadata=metadata)

    def _open(self) -> "Collection":
        """Return the collection, which is made where there is none."""
        with as_store_error(self._place, "opened", self._way_out, self._folder):
            collection = find_collection(self._client, self._name)
            if collection is None:
                finish_replacement(self._client, self._name)
                collection = self._client.get_or_create_collection(
                    self._name, embedding_function=None, metadata={"embedder": self._embedder}
                )
        found = (collection.metadata or {}).get("embedder")
        if self._embedder not in {None, found}:
            raise StoreError(
                f"the {self._name} were embedded by {found}, not by {self._embedder}: "
                f"run lesson-search reindex --embedder {self._embedder}, or go on with {found}"
            )
        return collection

    def _call(self, method: str, doing: str, **arguments: Any) -> Any:
        """Return what a method of the collection answers."""
        from chromadb.errors import NotFoundError

        way_out = self._way_out
        if "embeddings" in arguments.get("include", ()):
            way_out += ", or embed all anew with lesson-search reindex"
        with as_store_error(self._place, doing, way_out, self._folder):
            reopen_if_failed(self._client)
            try:
                return getattr(self._collection, method)(**arguments)
            except NotFoundError:  # reindexed meanwhile: another has its name
                self._collection = self._open()
                return getattr(self._collection, method)(**arguments)
            except Exception:
                FAILED_SYSTEMS.add(self._client._system)  # type: ignore[attr-defined] # noqa: SLF001
                raise

    def _list(self, include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Yield all records, by the page; a server may give less at once than it is asked for."""
        start = 0
        while True:
            page = self._call("get", "read", limit=self._page, offset=start, include=include)
            if not page["ids"]:
                return
            yield page
            start += len(page["ids"])

    def _get(self, ids: Sequence[str], include: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Yield the records of these ids that there are, by the page."""
        once = list(dict.fromkeys(ids))
        for start in range(0, len(once), self._page):
            page = once[start : start + self._page]
            yield self._call("get", "read", ids=page, include=include)


def find_collection(client: "ClientAPI", name: str) -> "Collection | None":
    """Return the collection of a name, or None."""
    from chromadb.errors import NotFoundError

    try:
        # Without this Chroma would look for an embedder of its own.
        return client.get_collection(name, embedding_function=None)
    except NotFoundError:
        return None


def finish_replacement(client: "ClientAPI", name: str) -> None:
    """Give the name of a collection that is gone to the one that replaces it, if it is complete."""
    replacement = find_collection(client, REPLACEMENT.format(name))
    if replacement and (replacement.metadata or {}).get("complete"):
        replacement.modify(name=name)


@contextmanager
def as_store_error(
    place: str, doing: str, way_out: str, folder: Path | None = None
) -> Iterator[None]:
    """Raise as a StoreError, in one line, whatever goes wrong.

    Args:
        place: What is read or written, and where it is.
        doing: What is done to it, as in "cannot be ...".
        way_out: What to do about it, if the database is sound.
        folder: Where the database is, if it is here.

    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - Chroma raises whatever its core does
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        damage = reason if isinstance(error, DamageError) else folder and find_damage(folder)
        if damage:
            reason = damage
            way_out = "put a backup in the place of that folder, or remove it to begin anew"
        raise StoreError(f"{place} cannot be {doing}: {reason}: {way_out}") from None
