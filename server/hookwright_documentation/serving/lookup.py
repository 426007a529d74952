"""Search and read documentation databases by name.

Nothing stays open between calls, so that a rebuild can replace a database at any time. The search
modules are imported at the first search.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.extras import explain_missing
from hookwright_console.text import name_some, shorten
from hookwright_documentation.cutting import page_files
from hookwright_documentation.databases import (
    CURRENT,
    Database,
    Manifest,
    UnknownDatabaseError,
    find_database_folder,
    list_names,
    open_database,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookwright_documentation.index import PassageHit
    from hookwright_documentation.pages import Page

BUILTIN = "builtin"
NAMED = 20  # maximum number of databases listed in an error
NEAREST = 3  # maximum number of URLs listed in an error
MAX_URL = 300  # characters of each URL

Answer = TypeVar("Answer")

_indexing = threading.Lock()


class UnknownPageError(RefusedError):
    """No database contains this page; `near` lists similar URLs, as spelled by the sites."""

    def __init__(self, url: str, near: Sequence[str]) -> None:
        super().__init__(
            f"no database has the page {shorten(url)}: use a URL that search_docs returned"
        )
        self.near = tuple(near)


def list_manifests() -> dict[str, Manifest | None]:
    """Return the manifests of all databases by name; a damaged database is None."""
    manifests: dict[str, Manifest | None] = dict.fromkeys(list_names())
    for name in manifests:
        with suppress(ReportedError):
            manifests[name] = open_database(name).manifest
    return manifests


def search(name: str, query: str, top_k: int) -> tuple[Manifest, list[PassageHit]]:
    """Return a database's manifest and its best passages, one per page; raises ReportedError."""

    def run(database: Database) -> tuple[Manifest, list[PassageHit]]:
        from hookwright_documentation.index import DocumentationIndex

        engine = database.manifest.engine
        if engine != BUILTIN:
            raise RefusedError(f"{name} is searched with {engine}: call its own MCP tool")
        if not database.index.exists():
            from hookwright_documentation.build import index_again

            with _indexing:
                if not database.index.exists():
                    index_again(database)
        return database.manifest, DocumentationIndex(database.index).search(query, top_k)

    return use(name, run)


def read_page(url: str) -> tuple[str, Page]:
    """Return a page and the database with the longest matching prefix; raises ReportedError."""
    prefixes = {
        name: len(manifest.prefix)
        for name, manifest in list_manifests().items()
        if manifest and url.startswith(manifest.prefix)
    }
    names = sorted(prefixes, key=lambda name: -prefixes[name])
    for name in names:
        if page := use(name, lambda database: read_page_file(database, url)):
            return name, page
    near = [found for name in names for found in use(name, lambda each: find_nearest(each, url))]
    raise UnknownPageError(url, near[:NEAREST])


def find_page(name: str, url: str) -> Page:
    """Return a page from a database; raises UnknownPageError and other ReportedErrors."""
    if page := use(name, lambda database: read_page_file(database, url)):
        return page
    raise UnknownPageError(url, ())


def read_page_file(database: Database, url: str) -> Page | None:
    path = database.pages / page_files.name_page(url)
    return page_files.read_page(path) if path.is_file() else None


def find_nearest(database: Database, url: str) -> list[str]:
    """Return the URLs of the pages whose addresses are most similar, except very long ones."""
    # A page's file is named after its URL, followed by a checksum.
    paths = {path.name.rpartition("-")[0]: path for path in page_files.list_pages(database.pages)}
    names = get_close_matches(page_files.name_page(url).rpartition("-")[0], paths, NEAREST)
    urls = [page_files.read_page(paths[name]).url for name in names]
    return [known for known in urls if len(known) <= MAX_URL]


def use(name: str, action: Callable[[Database], Answer]) -> Answer:
    """Return an action's result; the action is repeated if a rebuild removes the files it reads."""
    while True:
        version = find_version(name)
        try:
            return action(open_database(name))
        except ModuleNotFoundError as error:
            raise ReportedError(explain_missing(error.name or "a package", "docs")) from None
        except (OSError, ReportedError):
            if version == find_version(name):
                raise


def find_version(name: str) -> tuple[int, int]:
    try:
        status = (find_database_folder(name) / CURRENT).stat()
    except (OSError, RefusedError):
        problem = "no documentation database yet: the user creates one with hookwright setup"
        if known := list_names():
            problem = f"no documentation database '{shorten(name)}': use {name_some(known, NAMED)}"
        raise UnknownDatabaseError(problem) from None
    return status.st_ino, status.st_mtime_ns
