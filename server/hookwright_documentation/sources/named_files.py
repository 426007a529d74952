"""Get the few files that a source consists of: from their site, or from a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright_console.addresses import shorten_url
from hookwright_console.errors import ReportedError
from hookwright_console.regular_files import read_regular
from hookwright_console.text import shorten
from hookwright_documentation.crawl.options import CrawlOptions
from hookwright_documentation.crawl.page_store import PageStore
from hookwright_documentation.crawl.reactor import build_rules, run_spider

if TYPE_CHECKING:
    from hookwright_documentation.sources.file_spider import FileSpider

FILES = "files"  # in the folder of a crawl: the files as they came


def fetch_files(
    options: CrawlOptions, urls: Sequence[str], folder: Path, started: float
) -> dict[str, bytes]:
    """Return the files of a site that are there, by their URLs; what has not changed is not sent.

    Raises:
        ReportedError: The first one is not there.

    """
    store, rules = PageStore(folder / FILES), build_rules(options)
    spider: FileSpider = run_spider(load_spider, options, started, rules, urls, store, rules)
    if urls[0] not in spider.found:
        raise ReportedError(
            spider.failure or f"{shorten_url(urls[0])}: no answer in time: try again"
        )
    store.keep_only(set(urls))
    return spider.found


def load_spider() -> "type[FileSpider]":
    from hookwright_documentation.sources.file_spider import FileSpider

    return FileSpider


def read_files(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return the files that are there, by their paths; raises ReportedError."""
    found = {}
    for number, path in enumerate(paths):
        if number and not path.exists():
            continue
        try:
            found[str(path)] = read_regular(path)
        except OSError as error:
            raise ReportedError(f"{shorten(str(path))}: {error.strerror}") from None
    return found
