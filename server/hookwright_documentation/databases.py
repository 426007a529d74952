"""Locate the user's documentation databases, and describe their contents.

A database is a folder. Its file `current` names the current generation, which is a subfolder with
the manifest, the pages and the index. A rebuild writes a new generation, then replaces `current`.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import Field, asdict, dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_origin

from hookwright_console.errors import MisusedError, RefusedError, ReportedError
from hookwright_console.files.atomic import replacing, write_json
from hookwright_console.files.regular import read_object, read_start
from hookwright_console.files.user_folders import find_user_folder
from hookwright_console.text import shorten
from hookwright_documentation.leann import LINK

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_QUERY = 1_000  # characters; longer queries are refused, or truncated for ranking
TOP_K, MAX_TOP_K = 5, 20  # default and maximum number of passages
FOLDER = "HOOKWRIGHT_DOCS"  # environment variable that sets another folder
NOTES = "registered.json"  # next to the databases: entries added to the clients' configuration
NAME = re.compile(rf"(?!{re.escape(NOTES)}\Z)[a-z0-9][a-z0-9._+#-]{{0,63}}\Z")
VERSION = re.compile(r"\d[\w.+-]{0,19}\Z")
CURRENT = "current"
MANIFEST = "database.json"
PAGES = "pages"
INDEX = "index"  # LEANN's index
INDEX_FILE = "index.sqlite"
LOCK = ".lock"
ORIGIN = "origin.json"  # in a generation: what it was built from
RECIPE = "recipe.json"  # how to build the database; the first file written for a new one
WORK = "work"  # fetched pages of an unfinished setup or refresh
MAX_NAME = 200  # bytes of a generation's name
GENERATION = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}\Z")
# Also matches files left by a process that was killed during a replacement.
FILE = re.compile(rf"(?:recipe\.json|{CURRENT}|\.lock|\.(?:recipe\.json|{CURRENT}|{LINK})-\w+)\Z")


class UnknownDatabaseError(RefusedError):
    """There is no database with this name."""


@dataclass(frozen=True)
class Manifest:
    """A description of a database."""

    name: str
    title: str  # the documented subject, for people and guidance; never text from a crawled page
    source: str  # the URL or folder the database was built from
    prefix: str  # the prefix of all page addresses
    engine: str  # builtin or leann
    version: str  # the documented version, or ""
    license: str  # the SPDX identifier of the licence, or ""
    crawled: str  # date of the last crawl, as YYYY-MM-DD
    pages: int
    passages: int
    options: dict[str, Any]  # setup options that a refresh reuses

    @property
    def heading(self) -> str:
        """The database's title, such as "Python 3.11 documentation"; never text from a site."""
        name = self.name[:1].upper() + self.name[1:]
        is_named = self.version in name or not VERSION.match(self.version)
        return f"{name} documentation" if is_named else f"{name} {self.version} documentation"


@dataclass(frozen=True)
class Database:
    """A searchable database: its manifest and its current generation."""

    manifest: Manifest
    folder: Path

    @property
    def pages(self) -> Path:
        return self.folder / PAGES

    @property
    def index(self) -> Path:
        return self.folder / INDEX_FILE


def find_root() -> Path:
    named = os.environ.get(FOLDER, "")
    if named and Path(named).is_file():
        raise MisusedError(f"{FOLDER}: {named} is a file: set it to a folder")
    return Path(named) if named else find_user_folder("data") / "docs"


def find_database_folder(name: str, root: Path | None = None) -> Path:
    """Return a database's folder, which may not exist yet; raises RefusedError."""
    if not NAME.match(name):
        raise MisusedError(
            f"not a valid database name: '{shorten(name)}': use lowercase letters, digits "
            "and ._+#-, and begin with a letter or digit"
        )
    return (root or find_root()) / name


def open_database(name: str, root: Path | None = None) -> Database:
    """Return a database; raises UnknownDatabaseError or ReportedError."""
    folder = find_database_folder(name, root)
    if not (folder / CURRENT).is_file():
        raise UnknownDatabaseError(f"no documentation database '{name}': see hookwright docs")
    generation = find_generation(folder)
    manifest = read_manifest(generation)
    if manifest and manifest.name == name:
        return Database(manifest, generation)
    raise ReportedError(
        f"{name}: the documentation database is damaged: run hookwright refresh {name}"
    )


def find_generation(folder: Path) -> Path:
    """Return a database's current generation, or the database's folder if it names none."""
    return folder / Path(read_start(folder / CURRENT, MAX_NAME).strip()).name


def read_manifest(generation: Path) -> Manifest | None:
    """Return a generation's manifest, or None if the file is unreadable or damaged."""
    saved = read_object(generation / MANIFEST)
    try:
        manifest = Manifest(**{field.name: saved[field.name] for field in fields(Manifest)})
        check_kinds(manifest)
    except (KeyError, TypeError):
        return None
    return manifest


def check_kinds(record: "DataclassInstance") -> None:
    """Check that every dataclass field has a value of its declared type; raises TypeError."""
    for field in fields(record):
        if not is_of_kind(getattr(record, field.name), field):
            raise TypeError(field.name)


def is_of_kind(value: object, field: "Field[Any]") -> bool:
    """Return whether a value has a field's type; tuples may contain only strings."""
    kind = get_origin(field.type) or field.type
    texts = value if isinstance(value, tuple) else ()
    return type(value) is kind and all(isinstance(text, str) for text in texts)


def list_names(root: Path | None = None) -> list[str]:
    """Return the sorted names of all databases, including damaged ones."""
    return [folder.name for folder in list_folders(root) if (folder / CURRENT).is_file()]


def list_unfinished(root: Path | None = None) -> list[str]:
    """Return the sorted names of databases with an unfinished setup."""
    folders = [folder for folder in list_folders(root) if is_database(folder)]
    return [folder.name for folder in folders if not (folder / CURRENT).is_file()]


def list_folders(root: Path | None) -> list[Path]:
    root = root or find_root()
    return sorted(path for path in root.iterdir() if NAME.match(path.name)) if root.is_dir() else []


def describe_database(name: str, root: Path | None = None) -> dict[str, Any]:
    """Return a database's description for scripts, or its error."""
    try:
        manifest = open_database(name, root).manifest
        folder = find_database_folder(name, root)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    except ReportedError as error:
        return {"name": name, "error": str(error)}
    except OSError as error:
        return {"name": name, "error": f"{name} cannot be read ({error.strerror}): try again"}
    shown = ("title", "source", "prefix", "pages", "passages", "version", "crawled")
    return {
        "name": name,
        **{name: getattr(manifest, name) for name in shown},
        "bytes": size,
        "license": manifest.license,
        "engine": manifest.engine,
        "folder": str(folder),
    }


def is_database(folder: Path) -> bool:
    """Return whether a folder is a database, finished or not."""
    return (folder / CURRENT).is_file() or (folder / RECIPE).is_file()


def check_place(folder: Path) -> None:
    """Check that a folder is a database or can become one; raises RefusedError."""
    if is_database(folder) or not os.path.lexists(folder):
        return
    if not folder.is_dir() or not all(FILE.match(path.name) for path in folder.iterdir()):
        raise RefusedError(
            f"{folder} is not a documentation database: use another --name, or set {FOLDER}"
        )


def write_manifest(manifest: Manifest, generation: Path) -> None:
    write_json(generation / MANIFEST, asdict(manifest))


def swap(name: str, generation: Path, root: Path | None = None) -> None:
    """Make a finished generation current and remove the others; raises OSError.

    Searches that use an older generation keep its files open. Only generations are removed.
    """
    folder = find_database_folder(name, root)
    others = [other for other in list_generations(folder) if other.name != generation.name]
    with replacing(folder / CURRENT) as file:
        file.write(generation.name + "\n")
    for other in others:
        shutil.rmtree(other, ignore_errors=True)


def list_generations(folder: Path) -> list[Path]:
    folders = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    return [folder for folder in folders if GENERATION.match(folder.name) or read_manifest(folder)]


@contextmanager
def locking(folder: Path, patience: float = 0) -> Iterator[None]:
    """Lock a database, so that it cannot be built or removed, or a crawl; raises RefusedError."""
    from filelock import FileLock, Timeout

    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)  # what is fetched may be private
    try:
        with FileLock(folder / LOCK, timeout=patience):
            yield
    except Timeout:
        raise RefusedError(
            f"another process is building {folder.name}: wait until it ends, and try again"
        ) from None


def remove_database(name: str, root: Path | None = None) -> bool:
    """Remove a database and return whether it existed; raises RefusedError, OSError."""
    folder = find_database_folder(name, root)
    if not folder.is_dir():
        return False
    check_place(folder)
    with locking(folder):
        remove_files(folder)
    return True


def remove_files(folder: Path) -> None:
    """Remove a database's files, and its folder if it is then empty."""
    generations = list_generations(folder)
    (folder / CURRENT).unlink(missing_ok=True)  # hides the database from searches
    for generation in [*generations, folder / WORK]:
        if generation.is_dir() and not generation.is_symlink():
            shutil.rmtree(generation)
    if (folder / LINK).is_symlink():
        (folder / LINK).unlink()
    # The recipe is removed last so that the folder is still recognised as a database after an
    # interruption.
    for path in sorted(folder.iterdir(), key=lambda path: path.name == RECIPE):
        if FILE.match(path.name) and (path.is_file() or path.is_symlink()):
            path.unlink()
    with suppress(OSError):  # fails if the folder contains other files
        folder.rmdir()


def count_days(crawled: str) -> int | None:
    """Return the number of days since an ISO date, or None if the text is not a date."""
    try:
        return (datetime.now().astimezone().date() - date.fromisoformat(crawled)).days
    except (TypeError, ValueError):
        return None
