"""Fetch the pages of a documentation, from its site or another source."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.recognition import Kind, find_kind


@dataclass(frozen=True)
class CrawlOptions:
    """What to crawl, and when to stop.

    Args:
        source: A URL, the path of a folder of pages, or another kind that `recognition` knows.
        prefix: The address that all pages begin with; "" for the folder of the source.
        max_pages: How many pages to take.
        max_bytes: How many bytes to download.
        max_depth: How many links to follow from the source to a page.
        time_limit: How many seconds to take.
        delay: Seconds between two requests; None to adapt to how fast the site answers.
        language: The language to take, such as fr; "" for that of the source.
        version: The version to take, such as 3.12; "" for the stable or newest one.
        exclusions: What the addresses of pages to leave out begin with, below the prefix.
        python: The environment of installed packages; "" for the active one.
        is_strangers: Whether the addresses are of an archive: none leads to a private network.

    """

    source: str
    prefix: str = ""
    max_pages: int = 2_000
    max_bytes: int = 500_000_000
    max_depth: int = 20
    time_limit: float = 3_600
    delay: float | None = None
    language: str = ""
    version: str = ""
    exclusions: Sequence[str] = ()
    python: str = ""
    is_strangers: bool = False


@dataclass(frozen=True)
class CrawlReport:
    """What a crawl took.

    Args:
        prefix: The address that all pages begin with.
        language: The language of the pages, such as en, or "" if not known.
        version: The version that is documented, or "" if not known.
        pages: How many pages there are.
        unchanged: How many of them are as the crawl before found them.
        notes: Lines for the user.
        choices: Which language and version were taken, and how to choose others, in lines.
        license: The SPDX identifier of the licence that the source names, or "".
        site: The URL of the site that the source is documented on, or "".
        copyright: The copyright notice that the source gives, or "".

    """

    prefix: str
    language: str
    version: str
    pages: int
    unchanged: int
    notes: tuple[str, ...]
    choices: tuple[str, ...]
    license: str = ""
    site: str = ""
    copyright: str = ""


Taker = Callable[[CrawlOptions, Path, Callable[[int, int], None] | None], CrawlReport]


def crawl(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None = None
) -> CrawlReport:
    """Fetch the pages of a documentation, or those that have changed since.

    A crawl that was stopped or killed goes on when it is called again.

    Args:
        options: What to crawl.
        folder: Keeps what was fetched; it need not exist.
        progress: Called with the number of pages so far, and of those known.

    Returns:
        What was taken.

    Raises:
        ReportedError: The source has no documentation to take; what the last crawl took is kept.

    """
    return find_taker(options.source)(options, folder, progress)


def find_taker(source: str) -> Taker:
    """Return what takes a source."""
    kind = find_kind(source)
    if kind == Kind.GIT:
        from hookwright_documentation.sources.git.taking import take_repository

        return take_repository
    if kind == Kind.FOLDER:
        from hookwright_documentation.crawl.local_folder import take_folder

        return take_folder
    from hookwright_documentation.crawl.child_process import run_crawl

    return run_crawl


def read_fetched(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs.

    Args:
        folder: The folder of the crawl.

    """
    from hookwright_documentation.crawl.results import read_pages

    return read_pages(folder)


def read_inventory(folder: Path) -> list[NamedTarget]:
    """Return what Sphinx's objects.inv names, with exact addresses; nothing where there is none.

    Args:
        folder: The folder of the crawl.

    """
    from hookwright_documentation.crawl.results import read_targets

    return read_targets(folder)
