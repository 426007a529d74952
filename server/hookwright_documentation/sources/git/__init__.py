"""A git repository: its documentation is read like a folder's."""

from collections.abc import Callable
from pathlib import Path

from hookwright_documentation.sources.git.repository import recognise
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport

__all__ = ["recognise", "take"]


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    from hookwright_documentation.sources.git.checkout import take_repository

    return take_repository(options, folder, progress)
