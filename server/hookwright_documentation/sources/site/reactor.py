"""Run a spider for a site or a few files in Twisted's reactor, which runs only once per process.

All Scrapy settings are defined here; none come from a project or the environment.
"""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from urllib.request import getproxies

from scrapy import Request, Spider
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
from hookwright_documentation.sources.site.failures import explain_error, explain_status
from hookwright_documentation.sources.site.middlewares import OK, RETRIES, download
from hookwright_documentation.sources.site.spider import (
    USER_AGENT,
    DocumentationSpider,
    build_report,
)
from hookwright_documentation.sources.urls import find_origin, normalize

HERE = "hookwright_documentation.sources.site"
MIDDLEWARES = "scrapy.downloadermiddlewares"
EXTENSIONS = "scrapy.extensions"
SPIDER_MIDDLEWARES = "scrapy.spidermiddlewares"
TIMEOUT = 30.0  # seconds for a page
LANGUAGE = "en"
FILES = "files"  # in a crawl's folder: the files as received
MAX_FILE = 80_000_000  # bytes, decompressed
FILE_TIMEOUT = 300.0  # seconds for a file
META = {
    "dont_redirect": True,
    "download_maxsize": MAX_FILE,
    "download_timeout": FILE_TIMEOUT,
    "handle_httpstatus_all": True,
}


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    store, rules = results.start(options, folder), build_rules(options)
    arguments = (options, store, rules, progress)
    spider = run_spider(DocumentationSpider, options, store.started, rules, *arguments)
    urls = spider.selection.list_urls()
    return results.finish(build_report(spider, urls), urls, store, inventory=spider.inventory)


def build_rules(options: CrawlOptions) -> ConnectionRules:
    proxies = frozenset(find_origin(url)[0] for url in getproxies().values())
    origin = find_origin(normalize(options.source))
    return ConnectionRules(origin, proxies, is_strangers=options.is_strangers)


def run_spider(
    spider: type[Spider],
    options: CrawlOptions,
    started: float,
    rules: ConnectionRules,
    *arguments: Any,
) -> Any:
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    reactor: Any = import_module("twisted.internet.reactor")
    settings = build_settings(options, started)
    configure_logging(settings)
    runner = CrawlerRunner(settings)
    crawler = runner.create_crawler(spider)

    def begin() -> None:
        crawling: Any = runner.crawl(crawler, *arguments)
        crawling.addErrback(lambda failure: failure.printTraceback(sys.stderr))
        crawling.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    # Each connection uses an address that the rules permit.
    lookup = cast("Any", rules.find_addresses)
    reactor.installNameResolver(GAIResolver(reactor, getaddrinfo=lookup))
    reactor.run(installSignalHandlers=False)
    return crawler.spider


def build_settings(options: CrawlOptions, started: float) -> dict[str, Any]:
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
        "COOKIES_ENABLED": False,
        "CRAWL_STARTED": started,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,text/markdown;q=0.9,*/*;q=0.8",
            "Accept-Language": language if language == LANGUAGE else f"{language},en;q=0.5",
        },
        "DOWNLOADER_MIDDLEWARES": {
            f"{HERE}.middlewares.ScopeCheck": 50,
            f"{HERE}.middlewares.RobotsRules": 100,
            f"{HERE}.middlewares.PatientRetries": 550,
            f"{HERE}.middlewares.HostCheck": 760,  # runs after the proxy middleware
            f"{HERE}.middlewares.HonestCache": 900,
            f"{HERE}.middlewares.LeanCompression": 950,  # decompresses before pages are cached
            f"{MIDDLEWARES}.httpauth.HttpAuthMiddleware": None,
            f"{MIDDLEWARES}.httpcache.HttpCacheMiddleware": None,
            f"{MIDDLEWARES}.httpcompression.HttpCompressionMiddleware": None,
            f"{MIDDLEWARES}.offsite.OffsiteMiddleware": None,
            f"{MIDDLEWARES}.redirect.MetaRefreshMiddleware": None,
            f"{MIDDLEWARES}.retry.RetryMiddleware": None,
            f"{MIDDLEWARES}.robotstxt.RobotsTxtMiddleware": None,
            f"{MIDDLEWARES}.stats.DownloaderStats": None,
        },
        "DOWNLOAD_DELAY": options.delay or 0,
        "DOWNLOAD_HANDLERS": dict.fromkeys(("data", "file", "ftp", "s3")),
        "DOWNLOAD_MAXSIZE": MAX_PAGE,
        "DOWNLOAD_TIMEOUT": min(TIMEOUT, options.time_limit / 2),
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "DOWNLOAD_WARNSIZE": 0,
        "EXTENSIONS": {
            f"{EXTENSIONS}.corestats.CoreStats": None,
            f"{EXTENSIONS}.feedexport.FeedExporter": None,
            f"{EXTENSIONS}.logcount.LogCount": None,
            f"{EXTENSIONS}.logstats.LogStats": None,
            f"{EXTENSIONS}.memdebug.MemoryDebugger": None,
            f"{EXTENSIONS}.memusage.MemoryUsage": None,
            f"{EXTENSIONS}.remote_control.RemoteControl": None,
            f"{EXTENSIONS}.spiderstate.SpiderState": None,
            f"{EXTENSIONS}.telnet.TelnetConsole": None,
            f"{EXTENSIONS}.throttle.AutoThrottle": None,
            f"{HERE}.middlewares.Throttle": 0,
        },
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_POLICY": f"{HERE}.middlewares.ConditionalPolicy",
        "HTTPCACHE_STORAGE": f"{HERE}.middlewares.StoreOfPages",
        "LOG_LEVEL": "ERROR",
        "REDIRECT_MAX_TIMES": 5,
        "REMOTE_CONTROL_ENABLED": False,
        "RETRY_GIVE_UP_LOG_LEVEL": "DEBUG",
        "RETRY_TIMES": RETRIES,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "Hookwright",
        "SPIDER_MIDDLEWARES": {
            f"{SPIDER_MIDDLEWARES}.depth.DepthMiddleware": None,
            f"{SPIDER_MIDDLEWARES}.httperror.HttpErrorMiddleware": None,  # the spider handles them
            f"{SPIDER_MIDDLEWARES}.metacopy.MetaCopyDetectionMiddleware": None,
            f"{SPIDER_MIDDLEWARES}.referer.RefererMiddleware": None,
        },
        "STATS_DUMP": False,
        "TELNETCONSOLE_ENABLED": False,
        "USER_AGENT": USER_AGENT,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,
    }


class FileSpider(Spider):
    """Fetches files into `found`; `failure` is the reason why the first file is missing, or ""."""

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
            return f"{shorten_url(url)}: it redirects: use the final URL"
        return explain_status(url, response.status)


def fetch_files(
    options: CrawlOptions, urls: Sequence[str], folder: Path, started: float
) -> dict[str, bytes]:
    """Return the files that exist on a site, by URL; the first one is required.

    Files that have not changed are not downloaded again.
    """
    store, rules = PageStore(folder / FILES), build_rules(options)
    spider: FileSpider = run_spider(FileSpider, options, started, rules, urls, store, rules)
    if urls[0] not in spider.found:
        raise ReportedError(
            spider.failure or f"{shorten_url(urls[0])}: no response in time: try again"
        )
    store.keep_only(set(urls))
    return spider.found
