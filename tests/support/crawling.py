"""Read sources of documentation in this process, which is faster than `crawl`'s child process."""

from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, find_kind


def crawl_here(options: CrawlOptions, folder: Path) -> CrawlReport:
    kind, _ = find_kind(options.source)
    folder.mkdir(parents=True, exist_ok=True)
    steps = [lambda _: nullcontext()] if kind.has_steps else []
    module = import_module(kind.reader or kind.module)
    report: CrawlReport = module.take(options, folder, lambda *_: None, *steps)
    return report
