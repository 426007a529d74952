"""Import Chroma so that it goes by what we say alone, and see whether its database is sound."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType

from hookwright_console.regular_files import open_regular

DATABASE = "chroma.sqlite3"  # as Chroma calls it
MAGIC = b"SQLite format 3\0"  # what every database of SQLite begins with


class DamageError(Exception):
    """What is wrong with a database, in a few words."""


def import_chroma() -> ModuleType:
    """Return the package chromadb, whose settings are those that it is given.

    As it is, its settings come from the environment and from a file `.env` in the current folder
    first, which may be anybody's: such a file could send the lessons to another server.
    """
    import pydantic
    import pydantic_settings

    reading = pydantic_settings.BaseSettings
    # It reads both as soon as it is imported, and fails where it does not like what it reads.
    pydantic_settings.BaseSettings = pydantic.BaseModel  # type: ignore[assignment,misc]
    try:
        import chromadb
    finally:
        pydantic_settings.BaseSettings = reading  # type: ignore[misc]
    return chromadb


@contextmanager
def ignoring_proxies() -> Iterator[None]:
    """Have what is connected to meanwhile asked without the proxies that the environment names."""
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
    """Refuse a database that lost all it had, which Chroma would take for a new one.

    Args:
        folder: What Chroma keeps its files in; it need not be there.

    Raises:
        DamageError: There is nothing in it, or it is no database.

    """
    database = folder / DATABASE
    if not database.exists():
        return
    with open_regular(database) as file:
        beginning = file.read(len(MAGIC))
    if beginning != MAGIC:
        raise DamageError(f"{DATABASE} is {'no database' if beginning else 'empty'}")


def find_damage(folder: Path) -> str:
    """Return what is wrong with the database of a folder, or "" where it is not the reason."""
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            [(found,)] = connection.execute("PRAGMA quick_check(1)")
    except sqlite3.OperationalError:
        return ""  # it cannot be read at all, or another has it
    except sqlite3.DatabaseError:
        found = "damaged"
    return "" if found == "ok" else f"{DATABASE} is damaged"
