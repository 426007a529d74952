"""Import Chroma without its settings from the environment, and check its database for damage."""

import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakSet

from hookwright_console.regular_files import open_regular
from hookwright_console.unused_modules import leaving_out

if TYPE_CHECKING:
    import httpx
    from chromadb.api import ClientAPI
    from chromadb.config import System

Method = TypeVar("Method")

DATABASE = "chroma.sqlite3"  # the name Chroma uses
INDEX_FOLDER = "-".join("?" * length for length in (8, 4, 4, 4, 12))  # its name is a UUID
MAGIC = b"SQLite format 3\0"  # the start of every SQLite database
FAILED_SYSTEMS: "WeakSet[System]" = WeakSet()  # the clients in which a call failed


# The stamps of the rows of a collection; a packed record begins with its version, a UUID.
STAMPS = """
    SELECT row.embedding_id, row.seq_id, substr(packed.string_value, 1, 32)
    FROM segments JOIN embeddings AS row ON row.segment_id = segments.id
    LEFT JOIN embedding_metadata AS packed ON packed.id = row.id AND packed.key = 'record'
    WHERE segments.collection = ? AND segments.scope = 'METADATA'
"""


class Stamp(NamedTuple):
    """What changes with every write to a row, whichever program writes.

    Args:
        sequence: The number of the write in Chroma's database.
        version: The version of the record; after a backup was restored, numbers come again.

    """

    sequence: str
    version: str


class DamageError(Exception):
    """The damage of a database, in a few words."""


def import_chroma(client: str) -> ModuleType:
    """Return the package chromadb, with no settings but those passed to it.

    By default Chroma reads settings from the environment and from `.env` in the current folder.
    That file may be a stranger's, and could send the lessons to another server.

    Args:
        client: The module of the client to import along: rust for an embedded Chroma, fastapi for
            a server.

    """
    import pydantic

    unused: dict[str, dict[str, object]] = {
        # Chroma reads settings by it on import, and fails on those that it does not know.
        "pydantic_settings": {"BaseSettings": pydantic.BaseModel},
        # The others cost 0.8 s and 20 MB: checks of Chroma's own classes at each import, traces,
        # embedders, and httpx's command line.
        "overrides": {
            "override": mark_override,
            "overrides": mark_override,
            "EnforceOverrides": type("EnforceOverrides", (), {}),
        },
        "opentelemetry.exporter.otlp.proto.grpc.trace_exporter": {"OTLPSpanExporter": None},
        "opentelemetry.sdk.resources": {"SERVICE_NAME": "", "Resource": None},
        "opentelemetry.sdk.trace": {"TracerProvider": None},
        "opentelemetry.sdk.trace.export": {"BatchSpanProcessor": None},
        "jsonschema": {"ValidationError": ValueError},
        "httpx._main": {},
    }
    with leaving_out(unused):
        import chromadb

        import_module(f"chromadb.api.{client}")
    return chromadb


def mark_override(method: Method) -> Method:
    vars(method)["__override__"] = True
    return method


@contextmanager
def ignoring_proxies() -> Iterator[None]:
    """Ignore the proxies in the environment for connections made meanwhile."""
    before = {name: os.environ.get(name) for name in ("NO_PROXY", "no_proxy")}
    os.environ.update(dict.fromkeys(before, "*"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def list_sessions(client: "ClientAPI") -> "list[httpx.Client]":
    """Return the HTTP sessions of a client: Chroma sets no timeout and never closes them."""
    if client.get_settings().is_persistent:
        return []
    owners: list[Any] = [client, client._admin_client]  # type: ignore[attr-defined] # noqa: SLF001
    return [owner._server._session for owner in owners]  # noqa: SLF001


def reopen_if_failed(client: "ClientAPI") -> None:
    """Restart an embedded Chroma after a failure, such as a write to a full disk.

    Otherwise the next write often never returns.
    """
    system = client._system  # type: ignore[attr-defined] # noqa: SLF001 - it has no public way
    if system not in FAILED_SYSTEMS:
        return
    if system.settings.is_persistent:
        with suppress(AttributeError):  # it is stopped already
            system.stop()
        system.start()
    FAILED_SYSTEMS.discard(system)


def check_database(folder: Path) -> None:
    """Refuse a damaged database, which may end the process, and an empty one, which seems new.

    Args:
        folder: The folder of Chroma's files, which need not exist.

    Raises:
        DamageError: The file is empty, damaged, or is not a database.

    """
    database = folder / DATABASE
    if not database.exists():
        return
    with open_regular(database) as file:
        beginning = file.read(len(MAGIC))
    if beginning != MAGIC:
        raise DamageError(f"{DATABASE} is {'not a database' if beginning else 'empty'}")
    if damage := find_damage(folder):
        raise DamageError(damage)


def remove_vector_indexes(folder: Path) -> None:
    """Remove the files of Chroma's vector indexes, which end the process if they are damaged.

    They are never searched: the index cache has the vectors, which come from the texts. Chroma
    goes on with an empty index and those writes that are still in its log.

    Args:
        folder: The folder of Chroma's files, which no other process uses.

    """
    for index in folder.glob(INDEX_FOLDER):
        shutil.rmtree(index)


def find_damage(folder: Path) -> str:
    """Return the damage of the database in a folder, or "" if there is none."""
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.text_factory = bytes
            [(found,)] = connection.execute("PRAGMA integrity_check(1)")
    except sqlite3.OperationalError:
        return ""  # it is unreadable, or locked by another process
    except sqlite3.DatabaseError:
        found = b"damaged"
    return "" if found == b"ok" else f"{DATABASE} is damaged"


def list_stamps(
    folder: Path, collection: str, ids: Sequence[str] | None = None
) -> dict[str, Stamp]:
    """Return the stamps of rows in an embedded database, by id.

    Chroma has no way to ask for them, so they are read from its tables.

    Args:
        folder: The folder of Chroma's files.
        collection: The id of the collection.
        ids: The ids of the rows, up to 900; None for all.

    Returns:
        The stamps; none if the database is locked, or another version of Chroma has other tables.

    """
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    among = "" if ids is None else f" AND row.embedding_id IN ({', '.join('?' * len(ids))})"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            rows = connection.execute(STAMPS + among, (collection, *(ids or ()))).fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return {}
    return {identity: Stamp(str(number), version or "") for identity, number, version in rows}
