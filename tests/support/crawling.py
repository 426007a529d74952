"""Read sources and convert pages in this process, which is faster than in child processes."""

import errno
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_documentation.pages import Draft, FetchedPage
from hookwright_documentation.sources.child_process import convert_one
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, find_kind


def crawl_here(options: CrawlOptions, folder: Path, stalls: str = "") -> CrawlReport:
    """Read a source as if reading the item named `stalls` took too long."""

    def reading(name: str) -> AbstractContextManager[None]:
        if name == stalls:
            raise TimeoutError(errno.ETIMEDOUT, "takes too long")
        return nullcontext()

    kind, _ = find_kind(options.source)
    folder.mkdir(parents=True, exist_ok=True)
    steps = [reading] if kind.has_steps else []
    module = import_module(kind.reader or kind.module)
    report: CrawlReport = module.take(options, folder, lambda *_: None, *steps)
    return report


class ConverterHere(AbstractContextManager["ConverterHere"]):
    """Converts pages like PageConverter, but a page that stalls or crashes it ends the test run."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments

    def __exit__(self, *_: object) -> None:
        pass

    def convert(self, fetched: FetchedPage, linked: Collection[str] = ()) -> Draft:
        draft = convert_one(fetched, linked, *self._arguments)
        if isinstance(draft, str):
            raise RefusedError(draft)
        return draft
