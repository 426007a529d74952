"""The kinds of sources, how to recognise them, and the options and results of a crawl."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import SplitResult, urlsplit

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.text import shorten

FORMS = (
    "a URL with https://, a folder, git+ with the folder or URL of a repository, an llms-full.txt, "
    "python:NAME, man:NAME, or - for a pipe"
)
# Folders of third-party files; `build` and `target` are not included because they can be chapters
# of a documentation.
OTHERS_FOLDERS = frozenset(
    {
        *("__pycache__", "bower_components", "dist", "node_modules", "Pods", "site-packages"),
        *("third_party", "vendor", "venv"),
    }
)


@dataclass(frozen=True)
class Source:
    """A source of documentation, recognised by its text alone; nothing is fetched."""

    address: str  # address stored in a recipe: an absolute path, or the source text itself
    place: str = ""  # the source's local file or folder, or ""
    is_missing: bool = False  # whether the local file or folder does not exist
    fault: str = ""  # the error in the source text, or ""
    keywords: tuple[str, ...] = ()  # default keywords of the database
    has_folders: bool = False  # whether --prefix names a folder in the source, not an address
    has_environment: bool = False  # whether the source is installed in a Python environment
    is_local: bool = False  # whether the source is on this computer, but in several places
    is_pipe: bool = False  # whether the source can be read only once
    repository: str = ""  # the source text for the git repository in a folder, or ""


@dataclass(frozen=True)
class CrawlOptions:
    """What to crawl and when to stop."""

    source: str  # a URL, a folder's path, or another text recognised by a kind of source
    name: str = ""  # the database's name
    prefix: str = ""  # prefix of the page addresses; "" for the source's folder
    max_pages: int = 2_000  # maximum number of pages
    max_bytes: int = 500_000_000  # maximum download size in bytes
    max_depth: int = 20  # maximum number of links to follow from the source to a page
    time_limit: float = 3_600  # seconds
    # Seconds between two requests; None to adapt to the site's speed.
    delay: float | None = None
    language: str = ""  # language to select, such as fr; "" for the source's default
    version: str = ""  # version to select, such as 3.12; "" for the stable or newest version
    # Address prefixes of pages to exclude.
    exclusions: Sequence[str] = ()
    python: str = ""  # environment that contains the installed packages; "" for the active one
    # Whether the addresses come from an archive, in which case private networks are refused.
    is_strangers: bool = False


@dataclass(frozen=True)
class CrawlReport:
    """A crawl's result."""

    prefix: str  # prefix of all page addresses
    language: str = ""  # language of the pages, such as en, or "" if unknown
    version: str = ""  # documented version, or "" if unknown
    notes: tuple[str, ...] = ()  # messages for the user
    choices: tuple[str, ...] = ()  # messages naming the selected language and version, and others
    license: str = ""  # SPDX identifier of the licence specified in the source, or ""
    site: str = ""  # URL of the source's documentation site, or ""
    copyright: str = ""  # the source's copyright notice, or ""
    pages: int = 0
    date: str = ""  # date of the crawl, as YYYY-MM-DD


class UnfinishedError(ReportedError):
    """A crawl was interrupted; repeating the same crawl resumes it."""


@dataclass(frozen=True)
class SourceKind:
    """A kind of source.

    The module's `recognise` returns the source described by a text, if it is of this kind. `take`
    fetches the pages, with the same arguments, result and errors as `crawl`.
    """

    module: str
    reader: str = ""  # module that contains `take`, or "" if it is the same module
    in_child: bool = True  # whether `take` runs in a child process
    has_steps: bool = False  # whether `take` has another argument, which limits the time per item

    def load(self) -> Any:
        return import_module(self.reader or self.module)


HERE = "hookwright_documentation.sources"
SOURCES = [  # the first kind that recognises a text is used
    SourceKind(f"{HERE}.python_packages", f"{HERE}.python_packages.api", has_steps=True),
    SourceKind(f"{HERE}.git.repository", f"{HERE}.git.checkout", in_child=False),
    SourceKind(f"{HERE}.llms_full"),
    SourceKind(f"{HERE}.devdocs"),
    SourceKind(f"{HERE}.manual_pages"),
    SourceKind(f"{HERE}.pipe", in_child=False),
    SourceKind(f"{HERE}.folder", in_child=False),
    SourceKind(f"{HERE}.site", f"{HERE}.site.reactor"),
]


def find_source(text: str) -> Source:
    return find_kind(text)[1]


def find_kind(text: str) -> tuple[SourceKind, Source]:
    for kind in SOURCES:
        if source := import_module(kind.module).recognise(text):
            return kind, source
    raise RefusedError(f"expected {FORMS}, got {shorten(text)}")


def find_url_fault(url: str) -> str:
    """Return the error in a site's or repository's URL, or ""."""
    if not is_url(url):
        return f"expected {FORMS}, got {shorten(url)}"
    return "" if split(url).hostname else f"SOURCE: {shorten(url)} has no valid host: check the URL"


def is_url(text: str) -> bool:
    return re.match(r"https?://[^/]", text, re.IGNORECASE) is not None


def split(url: str) -> SplitResult:
    """Return a URL's parts; all are empty if the URL is invalid."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return urlsplit("")
    return parts
