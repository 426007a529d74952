"""The API of installed Python packages (python:NAME), read from their sources without importing."""

from collections.abc import Callable
from pathlib import Path

from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, Source

PYTHON = "python:"  # followed by names of installed packages


def recognise(text: str) -> Source | None:
    if not text.startswith(PYTHON):
        return None
    names = list_names(text)
    fault = "" if names else f"{text}: give the name of a package, such as python:flask"
    return Source(text, fault=fault, keywords=names, has_environment=True)


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    from hookwright_documentation.sources.child_process import run_crawl

    return run_crawl(f"{__name__}.api", options, folder, progress, in_steps=True)


def list_names(source: str) -> tuple[str, ...]:
    names = (name.strip() for name in source.removeprefix(PYTHON).split(","))
    return tuple(filter(None, names))
