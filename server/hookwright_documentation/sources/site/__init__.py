"""A site: the pages reachable by links from a URL."""

from collections.abc import Callable
from pathlib import Path

from hookwright_documentation.sources.registry import (
    CrawlOptions,
    CrawlReport,
    Source,
    find_url_fault,
)


def recognise(text: str) -> Source | None:
    return Source(text, fault=find_url_fault(text)) if "://" in text else None


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    from hookwright_documentation.sources.child_process import run_crawl

    return run_crawl(f"{__name__}.reactor", options, folder, progress)
