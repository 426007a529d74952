"""Fetch the pages of a documentation, from its site or another source."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.options import CrawlOptions, CrawlReport
from hookwright_documentation.sources.registry import find_kind


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


def read_fetched(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs."""
    from hookwright_documentation.sources.results import read_pages

    return read_pages(folder)


def read_inventory(folder: Path) -> list[NamedTarget]:
    """Return what Sphinx's objects.inv names, with exact addresses; nothing where there is none."""
    from hookwright_documentation.sources.results import read_targets

    return read_targets(folder)
