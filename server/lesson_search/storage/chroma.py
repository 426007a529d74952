"""Import Chroma without its settings from the environment, and check its database for damage."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType

from hookwright_console.regular_files import open_regular
from hookwright_console.unused_modules import leaving_out

DATABASE = "chroma.sqlite3"  # the name Chroma uses
MAGIC = b"SQLite format 3\0"  # the start of every SQLite database


class DamageError(Exception):
    """The damage of a database, in a few words."""


def import_chroma() -> ModuleType:
    """Return the package chromadb, with no settings but those passed to it.

    By default Chroma reads settings from the environment and from `.env` in the current folder.
    That file may be a stranger's, and could send the lessons to another server.
    """
    import pydantic

    unused = {
        # Chroma reads settings by it on import, and fails on those that it does not know.
        "pydantic_settings": {"BaseSettings": pydantic.BaseModel},
        # The others cost half a second and 15 MB: traces, embedders, and httpx's command line.
        "opentelemetry.exporter.otlp.proto.grpc.trace_exporter": {"OTLPSpanExporter": None},
        "jsonschema": {"ValidationError": ValueError},
        "httpx._main": {},
    }
    with leaving_out(unused):
        import chromadb
    return chromadb


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


def check_database(folder: Path) -> None:
    """Refuse an empty or overwritten database, which Chroma would treat as a new one.

    Args:
        folder: The folder of Chroma's files, which need not exist.

    Raises:
        DamageError: The file is empty, or is not a database.

    """
    database = folder / DATABASE
    if not database.exists():
        return
    with open_regular(database) as file:
        beginning = file.read(len(MAGIC))
    if beginning != MAGIC:
        raise DamageError(f"{DATABASE} is {'not a database' if beginning else 'empty'}")


def find_damage(folder: Path) -> str:
    """Return the damage of the database in a folder, or "" if there is none."""
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            [(found,)] = connection.execute("PRAGMA quick_check(1)")
    except sqlite3.OperationalError:
        return ""  # it is unreadable, or locked by another process
    except sqlite3.DatabaseError:
        found = "damaged"
    return "" if found == "ok" else f"{DATABASE} is damaged"
