"""Keep documentation databases open between calls, and reopen those that change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from difflib import get_close_matches
from heapq import nlargest
from typing import TYPE_CHECKING, TypeVar

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.extras import explain_missing
from hookwright_console.text import name_some, shorten
from hookwright_documentation.databases import (
    CURRENT,
    Database,
    Manifest,
    UnknownDatabaseError,
    find_database_folder,
    find_root,
    list_names,
    open_database,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hookwright_documentation.index import DocumentationIndex, PassageHit
    from hookwright_documentation.pages import Page

MAX_OPEN = 4  # databases; each open one uses memory
BUILTIN = "builtin"
NAMED = 20  # maximum number of databases listed in an error
NEAREST = 3  # maximum number of URLs listed in an error
MAX_URL = 300  # characters of each URL
SIMILAR = 12  # candidate files, selected by name

Version = tuple[int, int]
Answer = TypeVar("Answer")


class UnknownPageError(RefusedError):
    """No database contains this page; `near` lists similar URLs, as spelled by the sites."""

    def __init__(self, url: str, near: Sequence[str]) -> None:
        super().__init__(
            f"no database has the page {shorten(url)}: use a URL that search_docs returned"
        )
        self.near = tuple(near)


class OpenDatabase:
    """A database generation whose index and pages are loaded on first use."""

    def __init__(self, version: Version, database: Database) -> None:
        self.version, self.manifest = version, database.manifest
        self._database = database
        self._lock = threading.Lock()
        self._index: DocumentationIndex | None = None

    def search(self, query: str, top_k: int) -> list[PassageHit]:
        """Return the best passages for a query; raises OSError and ReportedError."""
        manifest = self.manifest
        if manifest.engine != BUILTIN:
            raise RefusedError(
                f"{manifest.name} is searched with {manifest.engine}: call its own MCP tool"
            )
        with self._lock:
            if self._index is None:
                from hookwright_documentation.index import open_index

                if not self._database.index.exists():
                    from hookwright_documentation.build import index_again

                    index_again(self._database)
                self._index = open_index(self._database.index)
        return self._index.search(query, top_k)

    def find_page(self, url: str) -> Page | None:
        """Return the page at a URL, or None; raises OSError and ReportedError."""
        from hookwright_documentation.cutting.page_files import name_page, read_page

        path = self._database.pages / name_page(url)
        return read_page(path) if path.is_file() else None

    def find_nearest(self, url: str) -> list[str]:
        """Return the URLs most similar to a given one; raises OSError and ReportedError."""
        from hookwright_documentation.cutting.page_files import list_pages, name_page, read_page

        grams = list_grams(name_page(url))
        paths = list_pages(self._database.pages)
        near = nlargest(SIMILAR, paths, key=lambda path: len(grams & list_grams(path.name)))
        return get_close_matches(url, [read_page(path).url for path in near], NEAREST)


def list_grams(name: str) -> set[str]:
    """Return the trigrams of a page's file name without its checksum."""
    readable = name.rpartition("-")[0]
    return {readable[at : at + 3] for at in range(len(readable) - 2)}


class OpenDatabases:
    """Searches and reads documentation databases, for any number of threads.

    The search modules are imported at the first search. A rebuilt database is reopened, and the
    least recently used one is closed when too many are open.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or find_root()
        self._lock = threading.Lock()
        self._open: OrderedDict[str, OpenDatabase] = OrderedDict()

    def list_manifests(self) -> dict[str, Manifest | None]:
        """Return the manifests of all databases by name; a damaged database is None."""
        return {name: self._read_manifest(name) for name in list_names(self._root)}

    def read_manifest(self, name: str) -> Manifest:
        """Return a database's manifest; raises the same errors as `search`."""
        return self._use(name, lambda database: database.manifest)

    def search(self, name: str, query: str, top_k: int) -> list[PassageHit]:
        """Return the best passages for a query, one per page; raises ReportedError."""
        return self._use(name, lambda database: database.search(query, top_k))

    def read_page(self, url: str) -> tuple[str, Page]:
        """Return a page and the database with the longest matching prefix; raises ReportedError."""
        prefixes = {
            name: len(manifest.prefix)
            for name, manifest in self.list_manifests().items()
            if manifest and url.startswith(manifest.prefix)
        }
        names = sorted(prefixes, key=lambda name: -prefixes[name])
        for name in names:
            if page := self._use(name, lambda database: database.find_page(url)):
                return name, page
        raise UnknownPageError(url, self._find_nearest(url, names))

    def find_page(self, name: str, url: str) -> Page:
        """Return a page from a database; raises UnknownPageError and other ReportedErrors."""
        if page := self._use(name, lambda database: database.find_page(url)):
            return page
        raise UnknownPageError(url, ())

    def _read_manifest(self, name: str) -> Manifest | None:
        try:
            return open_database(name, self._root).manifest
        except ReportedError:
            return None

    def _use(self, name: str, action: Callable[[OpenDatabase], Answer]) -> Answer:
        while True:
            opened = self._find(name)
            try:
                return action(opened)
            except ModuleNotFoundError as error:
                raise ReportedError(explain_missing(error.name or "a package", "docs")) from None
            except (OSError, ReportedError):
                # A rebuild removes the previous generation's files.
                if opened.version == self._find_version(name):
                    raise

    def _find(self, name: str) -> OpenDatabase:
        version = self._find_version(name)
        with self._lock:
            opened = self._open.get(name)
            if not opened or opened.version != version:
                self._open.pop(name, None)
                opened = OpenDatabase(version, open_database(name, self._root))
                self._open[name] = opened
            self._open.move_to_end(name)
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
        return opened

    def _find_version(self, name: str) -> Version:
        try:
            status = (find_database_folder(name, self._root) / CURRENT).stat()
        except (OSError, RefusedError):
            problem = (
                "there is no documentation database yet: the user creates one with hookwright setup"
            )
            if known := list_names(self._root):
                problem = (
                    f"no documentation database '{shorten(name)}': use {name_some(known, NAMED)}"
                )
            raise UnknownDatabaseError(problem) from None
        return status.st_ino, status.st_mtime_ns

    def _find_nearest(self, url: str, names: list[str]) -> list[str]:
        near = [
            found
            for name in names
            for found in self._use(name, lambda database: database.find_nearest(url))
        ]
        return [address for address in near if len(address) <= MAX_URL][:NEAREST]
