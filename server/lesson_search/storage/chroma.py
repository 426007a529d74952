"""Open an embedded Chroma by its public API, isolated from its environment, or a Chroma server."""

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import open_regular
from hookwright_console.network.http_client import explain_error
from hookwright_console.network.peers import is_loopback
from hookwright_console.programs import in_trusted_folder
from lesson_search.storage.conversion import convert, finish_conversion, is_marked, mark

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

DATABASE = "chroma.sqlite3"  # the file name that Chroma uses
INDEX_FOLDER = "-".join("?" * length for length in (8, 4, 4, 4, 12))  # named by a UUID
HEADER = 100  # bytes; https://sqlite.org/fileformat2.html#the_database_header
ROLLBACK = b"\1\1"  # bytes 18 and 19 of the header, unless a write-ahead log is used
# Variables that Python and libraries need; Chroma does not read any of them as a setting.
NEEDED = ("HOME", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE")
# Chroma's own vector index is never searched here, and building a good one takes half the time of a
# write.
INDEX: Any = {"hnsw": {"ef_construction": 4, "max_neighbors": 2}}
TIMEOUT = 30  # seconds
PATH = "/tenants/default_tenant/databases/default_database"
CALLS = {
    "get": ("POST", "/get"),
    "upsert": ("POST", "/upsert"),
    "delete": ("POST", "/delete"),
    "modify": ("PUT", ""),
}


class StoreError(ReportedError):
    """The store cannot be used."""


class MissingCollectionError(Exception):
    """A collection does not exist, or was replaced by another with the same name."""

    def __init__(self) -> None:
        super().__init__("not found")


class Chroma:
    """An embedded Chroma, used by one process at a time.

    `place` and `way_out` are for messages; `page` is the maximum number of rows per call.
    """

    shared = False
    page = 1_000
    way_out = "check free space and permissions"

    def __init__(self, folder: Path) -> None:
        """Open the Chroma in a folder, creating it if missing; raises StoreError."""
        self.place = str(folder)
        self.folder: Path | None = folder
        self._lock = Lock()
        self._failed = False  # whether a call failed since it was opened
        way_out = "choose another --data folder, or make this one writable"
        with as_store_error(self.place, "open", way_out, folder):
            finish_conversion(folder)
            folder.mkdir(parents=True, exist_ok=True)
            if find_damage(folder):
                raise OSError  # explained by `as_store_error`
            found = self.read_state()
            self._settings = load_settings()
            if not (folder / DATABASE).exists():
                mark(folder)
        with as_store_error(self.place, "convert", "make room for a copy of it", folder):
            if not is_marked(folder):
                convert(folder, INDEX_FOLDER, self._settings)
        with as_store_error(self.place, "open", way_out, folder):
            # Remove the indexes: a damaged index file would crash the process, and none is ever
            # searched, since the index cache contains the vectors. Chroma continues with an empty
            # index and the writes still in its log.
            for index in folder.glob(INDEX_FOLDER):
                shutil.rmtree(index)
            self._connect()
        # Chroma writes to the database when opening it.
        self._found, self._opened = found, self.read_state()

    def find(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        from chromadb.errors import NotFoundError

        try:
            # Without this argument, Chroma would load its own embedder.
            found = self._reconnect().get_collection(name, embedding_function=None)
        except NotFoundError:
            self._collections.pop(name, None)
            return None
        self._collections[name] = found
        return str(found.id), found.metadata or {}

    def create(self, name: str, metadata: dict[str, Any]) -> None:
        self._reconnect().get_or_create_collection(
            name, embedding_function=None, metadata=metadata, configuration=INDEX
        )

    def delete(self, name: str) -> None:
        self._collections.pop(name, None)
        self._reconnect().delete_collection(name)

    def call(self, collection: str, method: str, **arguments: Any) -> Any:
        """Call a method of Chroma's Collection; raises MissingCollectionError if it is missing."""
        self._reconnect()
        if collection not in self._collections and self.find(collection) is None:
            raise MissingCollectionError
        try:
            return getattr(self._collections[collection], method)(**arguments)
        except Exception:
            self._failed = True
            raise

    def close(self) -> None:
        self._client.close()  # type: ignore[attr-defined] # both kinds of clients have it

    def is_unchanged(self, state: str) -> bool:
        """Return whether nothing was written since `read_state` returned this value."""
        now = self.read_state()
        return bool(state) and (state == now or (state == self._found and now == self._opened))

    def read_state(self) -> str:
        """Return a value that changes with every write to the database, or "" if unknown."""
        try:
            with open_regular(Path(self.place, DATABASE)) as file:
                header = file.read(HEADER)
                changed = os.fstat(file.fileno()).st_mtime_ns
        except OSError:
            return ""
        return f"{changed} {header.hex()}" if header[18:20] == ROLLBACK else ""

    def _reconnect(self) -> "ClientAPI":
        """Return the client, reopened after a failure such as a write to a full disk.

        Without reopening, the next write often hangs.
        """
        with self._lock:
            if self._failed:
                self.close()
                self._connect()
            return self._client

    def _connect(self) -> None:
        import chromadb
        from chromadb.api.shared_system_client import SharedSystemClient

        self._collections: dict[str, Collection] = {}
        try:
            self._client = chromadb.PersistentClient(Path(self.place), self._settings)
        except BaseException:
            SharedSystemClient.clear_system_cache()  # it caches clients that failed to start
            raise
        self._failed = False


def load_settings() -> "Settings":
    """Import Chroma, and return its settings, ignoring the environment.

    By default Chroma reads settings from the environment and from `.env` in the current folder.
    That file may be untrusted, and could send the lessons to another server.
    """
    with isolated():
        from chromadb.config import Settings

        return Settings(anonymized_telemetry=False)


@contextmanager
def isolated() -> Iterator[None]:
    """Run the block in a trusted folder, with a minimal environment."""
    environment = dict(os.environ)
    os.environ.clear()
    os.environ.update({name: environment[name] for name in NEEDED if name in environment})
    try:
        with in_trusted_folder():
            yield
    finally:
        os.environ.clear()
        os.environ.update(environment)


def find_damage(folder: Path) -> str:
    """Describe the damage to a folder's database; return "" if it is intact or missing.

    Chroma would treat an empty file as a new database, and some kinds of damage crash the process.
    """
    path = folder / DATABASE
    try:
        if path.stat().st_size == 0:
            return f"{DATABASE} is empty"
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.text_factory = bytes
            [(found,)] = database.execute("PRAGMA quick_check(1)")
    except (OSError, sqlite3.OperationalError):
        return ""  # missing, unreadable, or locked by another process
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # the message may contain damaged text
        found = b"damaged"
    return "" if found == b"ok" else f"{DATABASE} is damaged"


@contextmanager
def as_store_error(
    place: str, doing: str, way_out: str, folder: Path | None = None
) -> Iterator[None]:
    """Convert any error to a StoreError with a one-line message, such as "cannot read PLACE: ...".

    The way out is another one if the database in the folder, if any, is damaged.
    """
    try:
        yield
    except (ModuleNotFoundError, StoreError):
        raise
    except Exception as error:  # noqa: BLE001 - Chroma raises errors of many kinds
        reason = explain_error(error)
        if folder and (damage := find_damage(folder)):
            reason, way_out = (
                damage,
                "restore that folder from a backup, or remove it to start over",
            )
        raise StoreError(f"cannot {doing} {place}: {reason} ({way_out})") from None


class ChromaServer:
    """A Chroma server, with the attributes and methods of Chroma."""

    shared = True
    page = 300  # the limit of Chroma Cloud
    folder = None
    way_out = "check that Chroma runs"

    def __init__(self, url: str, token: str = "") -> None:
        """Connect to a server at a URL such as https://chroma.example.com:8000.

        Raises StoreError if no Chroma at the URL accepts the token.
        """
        import httpx2

        host = check_url(url)
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # otherwise it logs every request
        self.place = url.rstrip("/")
        self._ids: dict[str, str] = {}
        # Chroma servers read the token from one of two headers.
        headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
        way_out = "check that it runs and accepts the token"
        with as_store_error(f"Chroma at {url}", "reach", way_out):
            self._http = httpx2.Client(
                base_url=f"{self.place}/api/v2",
                headers=headers,
                timeout=TIMEOUT,
                # Requests to this machine bypass any proxy.
                transport=httpx2.HTTPTransport() if is_loopback(host) else None,
            )
            try:
                self._request("GET", PATH)
            except BaseException:
                self.close()
                raise

    def find(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        try:
            found = self._request("GET", f"{PATH}/collections/{name}")
        except MissingCollectionError:
            self._ids.pop(name, None)
            return None
        self._ids[name] = found["id"]
        return found["id"], found["metadata"] or {}

    def create(self, name: str, metadata: dict[str, Any]) -> None:
        body = {"name": name, "metadata": metadata, "get_or_create": True}
        self._request("POST", f"{PATH}/collections", body)

    def delete(self, name: str) -> None:
        self._ids.pop(name, None)
        self._request("DELETE", f"{PATH}/collections/{name}")

    def call(self, collection: str, method: str, **arguments: Any) -> Any:
        if collection not in self._ids and self.find(collection) is None:
            raise MissingCollectionError
        verb, path = CALLS[method]
        if method == "modify":
            arguments = {f"new_{key}": value for key, value in arguments.items()}
        if "embeddings" in arguments:
            arguments["embeddings"] = arguments["embeddings"].tolist()
        return self._request(verb, f"{PATH}/collections/{self._ids[collection]}{path}", arguments)

    def close(self) -> None:
        self._http.close()

    def is_unchanged(self, _state: str) -> bool:
        return False

    def read_state(self) -> str:
        return ""

    def _request(self, verb: str, path: str, body: object = None) -> Any:
        answer = self._http.request(verb, path, json=body)
        if answer.status_code == 404:  # noqa: PLR2004 - Not Found
            raise MissingCollectionError
        if answer.is_error:
            with suppress(ValueError, KeyError, TypeError):
                raise ConnectionError(str(answer.json()["message"]))
            raise ConnectionError(f"status {answer.status_code}")
        return answer.json()


def check_url(url: str) -> str:
    way_out = "expected a URL such as https://chroma.example.com:8000"
    if any(mark in url for mark in "@?#"):  # messages would reveal a password in the URL
        raise StoreError(
            f"the Chroma URL has a user, password, query or fragment: {way_out}, with the token in"
            " LESSON_SEARCH_CHROMA_TOKEN"
        )
    with suppress(ValueError):
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError if it is invalid
        if parts.scheme in {"http", "https"} and parts.hostname and not parts.path.strip("/"):
            return parts.hostname
    raise StoreError(f"{url!r} is not the URL of a Chroma server: {way_out}")


AnyChroma = Chroma | ChromaServer
