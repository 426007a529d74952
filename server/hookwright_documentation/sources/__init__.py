"""Fetch the pages of a documentation, from its site or another source."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hookwright_documentation.cutting.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.options import CrawlOptions, CrawlReport
from hookwright_documentation.sources.recognition import Kind, find_kind


def crawl(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None = None
) -> CrawlReport:
    """Fetch the pages of a documentation, or those that have changed since; raises ReportedError.

    `folder` keeps what was fetched: a crawl that was stopped goes on when it is called again, and
    one that finds nothing leaves what the last one took. `progress` gets how many pages there are
    so far, and how many are known.
    """
    kind = find_kind(options.source)
    if kind == Kind.GIT:
        from hookwright_documentation.sources.git.checkout import take_repository

        return take_repository(options, folder, progress)
    if kind == Kind.FOLDER:
        from hookwright_documentation.sources.folder import take_folder

        return take_folder(options, folder, progress)
    from hookwright_documentation.sources.child_process import run_crawl

    return run_crawl(options, folder, progress)


def read_fetched(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs."""
    from hookwright_documentation.sources.results import read_pages

    return read_pages(folder)


def read_inventory(folder: Path) -> list[NamedTarget]:
    """Return what Sphinx's objects.inv names, with exact addresses; nothing where there is none."""
    from hookwright_documentation.sources.results import read_targets

    return read_targets(folder)
