"""Run a spider for a site or a few files in Twisted's reactor, which runs only once per process.

All Scrapy settings are defined here; none come from a project or the environment.
"""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.request import getproxies

from scrapy.crawler import CrawlerRunner
from scrapy.http import Response
from scrapy.utils.log import configure_logging
from scrapy.utils.reactor import install_reactor
from twisted.internet._resolver import GAIResolver

from hookwright_console.errors import ReportedError
from hookwright_console.network.addresses import shorten_url
from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.results import MAX_PAGE, PageStore
from hookwright_documentation.sources.site.addresses import ConnectionRules
from hookwright_documentation.sources.site.failures import explain_status
from hookwright_documentation.sources.site.middlewares import OK, RETRIES
from hookwright_documentation.sources.site.spider import (
    OWN_REDIRECTS,
    DocumentationSpider,
    StoringSpider,
    build_report,
)
from hookwright_documentation.sources.urls import find_origin, normalize

AnySpider = TypeVar("AnySpider", bound=StoringSpider)
HERE = "hookwright_documentation.sources.site.middlewares"
MIDDLEWARES = "scrapy.downloadermiddlewares"
USER_AGENT = "Hookwright (documentation search; obeys robots.txt)"
TIMEOUT = 30.0  # seconds for a page
LANGUAGE = "en"
FILES = "files"  # in a crawl's folder: the files as received
MAX_FILE = 80_000_000  # bytes, decompressed
FILE_TIMEOUT = 300.0  # seconds for a file


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    store = results.start(options, folder)
    spider = run_spider(DocumentationSpider, options, store, options, progress)
    urls = spider.selection.list_urls()
    return results.finish(build_report(spider, urls), urls, store, spider.targets)


def run_spider(
    spider: type[AnySpider], options: CrawlOptions, store: PageStore, *arguments: Any
) -> AnySpider:
    """Run a spider to its end; the rules decide to which addresses it connects."""
    proxies = frozenset(find_origin(url)[0] for url in getproxies().values())
    origin = find_origin(normalize(options.source))
    rules = ConnectionRules(origin, proxies, is_strangers=options.is_strangers)
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    reactor: Any = import_module("twisted.internet.reactor")
    settings = build_settings(options)
    configure_logging(settings)
    runner = CrawlerRunner(settings)
    crawler = runner.create_crawler(spider)

    def begin() -> None:
        crawling: Any = runner.crawl(crawler, store, rules, *arguments)
        crawling.addErrback(lambda failure: failure.printTraceback(sys.stderr))
        crawling.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    lookup = cast("Any", rules.find_addresses)
    reactor.installNameResolver(GAIResolver(reactor, getaddrinfo=lookup))
    reactor.run(installSignalHandlers=False)
    return cast("AnySpider", crawler.spider)


def build_settings(options: CrawlOptions) -> dict[str, Any]:
    polite = options.delay is None
    language = options.language or LANGUAGE
    return {
        "AUTOTHROTTLE_ENABLED": polite,
        "AUTOTHROTTLE_MAX_DELAY": 30.0,
        "AUTOTHROTTLE_START_DELAY": 0.25,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,
        "CLOSESPIDER_TIMEOUT": options.time_limit,
        "CONCURRENT_ITEMS": 1,  # Scrapy starts this many tasks per page, but there are no items
        "CONCURRENT_REQUESTS": 4 if polite else 8,  # without a delay, the domain limit is ignored
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,text/markdown;q=0.9,*/*;q=0.8",
            "Accept-Language": language if language == LANGUAGE else f"{language},en;q=0.5",
        },
        "DOWNLOADER_MIDDLEWARES_BASE": {
            f"{MIDDLEWARES}.robotstxt.RobotsTxtMiddleware": 100,
            f"{MIDDLEWARES}.downloadtimeout.DownloadTimeoutMiddleware": 350,
            f"{MIDDLEWARES}.defaultheaders.DefaultHeadersMiddleware": 400,
            f"{MIDDLEWARES}.useragent.UserAgentMiddleware": 500,
            f"{HERE}.PatientRetries": 550,
            f"{MIDDLEWARES}.redirect.RedirectMiddleware": 600,
            f"{MIDDLEWARES}.httpproxy.HttpProxyMiddleware": 750,
            f"{HERE}.StoredPages": 900,
            f"{HERE}.LeanCompression": 950,  # decompresses before pages are stored
        },
        "DOWNLOAD_DELAY": options.delay or 0,
        "DOWNLOAD_HANDLERS": dict.fromkeys(("data", "file", "ftp", "s3")),
        "DOWNLOAD_MAXSIZE": MAX_PAGE,
        "DOWNLOAD_TIMEOUT": min(TIMEOUT, options.time_limit / 2),
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "DOWNLOAD_WARNSIZE": 0,
        "EXTENSIONS_BASE": {
            "scrapy.extensions.closespider.CloseSpider": 0,
            f"{HERE}.Throttle": 0,
        },
        "LOG_LEVEL": "ERROR",
        "REDIRECT_MAX_TIMES": 5,
        "RETRY_GIVE_UP_LOG_LEVEL": "DEBUG",
        "RETRY_TIMES": RETRIES,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "Hookwright",
        # The spider checks each response and request itself. Start requests are sent in order.
        "SPIDER_MIDDLEWARES_BASE": {"scrapy.spidermiddlewares.start.StartSpiderMiddleware": 0},
        "STATS_DUMP": False,
        "USER_AGENT": USER_AGENT,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,
    }


class FileSpider(StoringSpider):
    """Fetches files into `found`; `failure` is the reason why the first file is missing, or ""."""

    name = "files"

    def __init__(self, store: PageStore, rules: ConnectionRules, urls: Sequence[str]) -> None:
        super().__init__(store, rules)
        self.found: dict[str, bytes] = {}
        self.failure = ""
        self._urls = urls

    async def start(self) -> AsyncIterator[Any]:
        limits = {"download_maxsize": MAX_FILE, "download_timeout": FILE_TIMEOUT}
        for url in self._urls:
            response = await self.download(url, **OWN_REDIRECTS, **limits)
            if isinstance(response, Response) and response.status == OK:
                self.found[url] = response.body
            elif url == self._urls[0]:
                self.failure = self._explain(url, response)
                break
        for request in list[Any]():
            yield request

    def _explain(self, url: str, response: Response | BaseException) -> str:
        if isinstance(response, BaseException):
            return self.explain(url, response)
        if response.headers.get("Location"):
            return f"{shorten_url(url)}: it redirects: use the final URL"
        return explain_status(url, response.status)


def fetch_files(
    options: CrawlOptions, urls: Sequence[str], folder: Path, started: float
) -> dict[str, bytes]:
    """Return the files that exist on a site, by URL; the first one is required.

    Files that have not changed are not downloaded again.
    """
    store = PageStore(folder / FILES, started)
    spider = run_spider(FileSpider, options, store, urls)
    if urls[0] not in spider.found:
        raise ReportedError(
            spider.failure or f"{shorten_url(urls[0])}: no response in time: try again"
        )
    store.keep_only(set(urls))
    return spider.found
