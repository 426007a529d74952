"""The kinds of sources, which of them a text names, and what a crawl is asked for and took.

Each is a module with two functions: `recognise` returns what a text is if it names such a source,
and `take` takes its pages, with the arguments, result and errors of `crawl`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast
from urllib.parse import SplitResult, urlsplit

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.text import shorten

SOURCES = [  # the first that recognises a text has it
    "hookwright_documentation.sources.python_packages",
    "hookwright_documentation.sources.git",
    "hookwright_documentation.sources.llms_full",
    "hookwright_documentation.sources.devdocs",
    "hookwright_documentation.sources.manual_pages",
    "hookwright_documentation.sources.pipe",
    "hookwright_documentation.sources.site",
    "hookwright_documentation.sources.folder",
]
FORMS = (
    "a URL with https://, a folder, git+ with the folder or URL of a repository, an llms-full.txt, "
    "python:NAME, man:NAME, or - for a pipe"
)
# Folders that hold what others made; `build` and `target` can be chapters of a documentation.
OTHERS_FOLDERS = frozenset(
    {
        *("__pycache__", "bower_components", "dist", "node_modules", "Pods", "site-packages"),
        *("third_party", "vendor", "venv"),
    }
)


@dataclass(frozen=True)
class Source:
    """A source of documentation, by its name alone; nothing is fetched."""

    address: str  # as a recipe keeps it: a path in full, anything else as it is given
    place: str = ""  # the file or folder of this computer that it is, or ""
    is_missing: bool = False  # whether there is nothing to take at this place
    fault: str = ""  # what is wrong with the text, or ""
    keywords: tuple[str, ...] = ()  # for its database, where the user gives none
    has_folders: bool = False  # whether --prefix names a folder in it, and not an address
    has_environment: bool = False  # whether it is in a Python environment
    is_local: bool = False  # whether it is on this computer, though not in one place
    is_pipe: bool = False  # whether it can be read only once
    repository: str = ""  # the text for the git repository that a folder is, or ""


@dataclass(frozen=True)
class CrawlOptions:
    """What to crawl, and when to stop."""

    source: str  # a URL, the path of a folder, or anything else that a kind of source recognises
    name: str = ""  # that of the database
    prefix: str = ""  # the address that all pages begin with; "" for the folder of the source
    max_pages: int = 2_000  # how many pages to take
    max_bytes: int = 500_000_000  # how many bytes to download
    max_depth: int = 20  # how many links to follow from the source to a page
    time_limit: float = 3_600  # how many seconds to take
    # Seconds between two requests; None to adapt to how fast the site answers.
    delay: float | None = None
    language: str = ""  # the language to take, such as fr; "" for that of the source
    version: str = ""  # the version to take, such as 3.12; "" for the stable or newest one
    # What the addresses of pages to leave out begin with, below the prefix.
    exclusions: Sequence[str] = ()
    python: str = ""  # the environment of installed packages; "" for the active one
    # Whether the addresses are of an archive: none leads to a private network.
    is_strangers: bool = False


@dataclass(frozen=True)
class CrawlReport:
    """What a crawl took."""

    prefix: str  # the address that all pages begin with
    language: str = ""  # the language of the pages, such as en, or "" if not known
    version: str = ""  # the version that is documented, or "" if not known
    notes: tuple[str, ...] = ()  # lines for the user
    choices: tuple[str, ...] = ()  # lines: which language and version, and how to choose others
    license: str = ""  # the SPDX identifier of the licence that the source names, or ""
    site: str = ""  # the URL of the site that the source is documented on, or ""
    copyright: str = ""  # the copyright notice that the source gives, or ""
    pages: int = 0
    unchanged: int = 0  # how many of them are as the crawl before found them
    date: str = ""  # of the crawl, as YYYY-MM-DD


def read_report(saved: dict[str, Any]) -> CrawlReport:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()
    }
    return CrawlReport(**values)


class UnfinishedError(ReportedError):
    """A crawl broke off, and the same one goes on where it stopped."""


class SourceKind(Protocol):
    """What the module of a kind has."""

    def recognise(self, text: str) -> Source | None: ...

    def take(
        self,
        options: CrawlOptions,
        folder: Path,
        progress: Callable[[int, int], None] | None,
    ) -> CrawlReport: ...


def find_source(text: str) -> Source:
    return find_kind(text)[1]


def find_kind(text: str) -> tuple[SourceKind, Source]:
    for name in SOURCES:
        kind = cast("SourceKind", import_module(name))
        if source := kind.recognise(text):
            return kind, source
    raise RefusedError(f"expected {FORMS}, got {shorten(text)}")


def crawl(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None = None
) -> CrawlReport:
    """Fetch the pages of a documentation, or those that have changed since; raises ReportedError.

    `folder` keeps what was fetched: a crawl that was stopped goes on when it is called again, and
    one that finds nothing leaves what the last one took. `progress` gets how many pages there are
    so far, and how many are known.
    """
    kind, _ = find_kind(options.source)
    return kind.take(options, folder, progress)


def find_url_fault(url: str) -> str:
    """Return what is wrong with the URL of a site or repository, or ""."""
    if not is_url(url):
        return f"expected {FORMS}, got {shorten(url)}"
    return "" if split(url).hostname else f"SOURCE: {shorten(url)} has no valid host: check the URL"


def is_url(text: str) -> bool:
    return re.match(r"https?://[^/]", text, re.IGNORECASE) is not None


def split(url: str) -> SplitResult:
    """Return the parts of a URL, empty ones where it is invalid."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return urlsplit("")
    return parts
