"""Fetch the few files that a source consists of."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response

from hookwright_console.errors import ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_documentation.sources.options import CrawlOptions
from hookwright_documentation.sources.results import PageStore
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.failures import explain_error, explain_status
from hookwright_documentation.sources.site.middlewares import OK, download
from hookwright_documentation.sources.site.reactor import build_rules, run_spider

FILES = "files"  # in the folder of a crawl: the files as they came
MAX_FILE = 80_000_000  # bytes, decompressed
TIMEOUT = 300.0  # seconds for a file


META = {
    "dont_redirect": True,
    "download_maxsize": MAX_FILE,
    "download_timeout": TIMEOUT,
    "handle_httpstatus_all": True,
}


class FileSpider(Spider):
    """Fetches files to `found`; `failure` is why the first one is not there, or ""."""

    name = "files"

    def __init__(self, urls: Sequence[str], store: PageStore, rules: ConnectionRules) -> None:
        super().__init__()
        self.store = store
        self.rules = rules
        self.robots_status = OK
        self.found: dict[str, bytes] = {}
        self.failure = ""
        self._urls = urls

    async def start(self) -> AsyncIterator[Any]:
        for url in self._urls:
            response = await download(self, Request(url, meta=META))
            if isinstance(response, Response) and response.status == OK:
                self.found[url] = response.body
            elif url == self._urls[0]:
                self.failure = self._explain(url, response)
                break
        for request in list[Request]():
            yield request

    def _explain(self, url: str, response: Response | BaseException) -> str:
        if isinstance(response, BaseException):
            return explain_error(url, response, self.rules.refused, self.robots_status)
        if response.headers.get("Location"):
            return f"{shorten_url(url)}: it redirects: give the URL that it leads to"
        return explain_status(url, response.status)


def fetch_files(
    options: CrawlOptions, urls: Sequence[str], folder: Path, started: float
) -> dict[str, bytes]:
    """Return the files of a site that are there, by their URLs; the first one has to be there.

    What has not changed since the last time is not sent.
    """
    store, rules = PageStore(folder / FILES), build_rules(options)
    spider: FileSpider = run_spider(FileSpider, options, started, rules, urls, store, rules)
    if urls[0] not in spider.found:
        raise ReportedError(
            spider.failure or f"{shorten_url(urls[0])}: no answer in time: try again"
        )
    store.keep_only(set(urls))
    return spider.found
