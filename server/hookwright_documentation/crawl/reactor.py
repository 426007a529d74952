"""Run a spider in Twisted's reactor, which runs once in a process."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast
from urllib.request import getproxies

from hookwright_documentation.crawl.connection_rules import ConnectionRules
from hookwright_documentation.crawl.options import CrawlOptions
from hookwright_documentation.crawl.urls import find_origin, normalize

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider


def build_rules(options: CrawlOptions) -> ConnectionRules:
    """Return which hosts may be connected to in a crawl."""
    proxies = frozenset(find_origin(url)[0] for url in getproxies().values())
    origin = find_origin(normalize(options.source))
    return ConnectionRules(origin, proxies, is_strangers=options.is_strangers)


def run_spider(
    load: "Callable[[], type[Spider]]",
    options: CrawlOptions,
    started: float,
    rules: ConnectionRules,
    *arguments: Any,
) -> Any:
    """Return a spider that has done its work."""
    from scrapy.utils.reactor import install_reactor

    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from scrapy.crawler import CrawlerRunner
    from scrapy.utils.log import configure_logging
    from twisted.internet._resolver import GAIResolver

    from hookwright_documentation.crawl.settings import build_settings

    reactor: Any = import_module("twisted.internet.reactor")
    settings = build_settings(options, started)
    configure_logging(settings)
    runner = CrawlerRunner(settings)
    crawler = runner.create_crawler(load())

    def begin() -> None:
        crawling: Any = runner.crawl(crawler, *arguments)
        crawling.addErrback(lambda failure: failure.printTraceback(sys.stderr))
        crawling.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    # Each connection goes to an address that the rules have let through.
    lookup = cast("Any", rules.find_addresses)
    reactor.installNameResolver(GAIResolver(reactor, getaddrinfo=lookup))
    reactor.run(installSignalHandlers=False)
    return crawler.spider
