"""Fetch the pages of a documentation, from its site or another source."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hookwright_documentation.crawl.options import CrawlOptions, CrawlReport
from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.recognition import Kind, find_kind


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
    kind = find_kind(options.source)
    if kind == Kind.GIT:
        from hookwright_documentation.sources.git.taking import take_repository

        return take_repository(options, folder, progress)
    if kind == Kind.FOLDER:
        from hookwright_documentation.crawl.local_folder import take_folder

        return take_folder(options, folder, progress)
    from hookwright_documentation.crawl.child_process import run_crawl

    return run_crawl(options, folder, progress)


def read_fetched(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs."""
    from hookwright_documentation.crawl.results import read_pages

    return read_pages(folder)


def read_inventory(folder: Path) -> list[NamedTarget]:
    """Return what Sphinx's objects.inv names, with exact addresses; nothing where there is none."""
    from hookwright_documentation.crawl.results import read_targets

    return read_targets(folder)
