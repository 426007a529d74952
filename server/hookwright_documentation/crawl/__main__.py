"""The process of a crawl: options on standard input, progress and the result on standard output.

It ends when its standard input does, so it does not outlive the process that started it. Where it
is too busy to notice, `lifetime` ends it.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from urllib.request import getproxies

from hookwright_console.errors import ReportedError
from hookwright_documentation.crawl import CrawlOptions, CrawlReport, lifetime, results
from hookwright_documentation.crawl.page_store import PageStore

PROGRESS, REPORT, ERROR = "progress", "report", "error"
GRACE = 300.0  # seconds to write the result in, after the time limit
SELDOM = 0.1  # seconds between two lines of progress


def main() -> None:
    """Crawl as standard input says."""
    task = json.loads(sys.stdin.buffer.readline())
    options, folder = CrawlOptions(**task["options"]), Path(task["folder"])
    lifetime.end_with_parent(task["parent"])
    lifetime.end_when_stuck(options.time_limit + GRACE)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what else is printed is no message
    threading.Thread(target=end_with_input, daemon=True).start()

    def tell(kind: str, *values: Any) -> None:
        print(json.dumps([kind, *values]), file=output, flush=True)

    try:
        with lifetime.locking(folder):
            report = run(options, folder, report_progress(tell))
    except ReportedError as error:
        tell(ERROR, str(error))
    except OSError as error:
        tell(ERROR, f"{error.filename or folder}: {error.strerror}")
    else:
        tell(REPORT, asdict(report))
    os._exit(0)  # at once: a thread still reads standard input


def end_with_input() -> None:
    """Wait for the end of standard input, and end this process; its files are whole at any time."""
    sys.stdin.buffer.read()
    os._exit(1)


def report_progress(tell: Callable[..., None]) -> Callable[[int, int], None]:
    """Return what tells progress, but not too often."""
    last = 0.0

    def report(done: int, known: int) -> None:
        nonlocal last
        if time.monotonic() - last > SELDOM:
            last = time.monotonic()
            tell(PROGRESS, done, known)

    return report


def run(options: CrawlOptions, folder: Path, tell: Callable[[int, int], None]) -> CrawlReport:
    """Crawl a site.

    Raises:
        ReportedError: It gives nothing.
        OSError: The folder cannot be written.

    """
    started = results.start(options, folder)
    store = PageStore(folder)
    from hookwright_documentation.crawl.connection_rules import ConnectionRules
    from hookwright_documentation.crawl.markup_memory import MarkupMemory
    from hookwright_documentation.crawl.outcome import build_result
    from hookwright_documentation.crawl.urls import find_origin, normalize

    memory = MarkupMemory(folder)
    proxies = frozenset(find_origin(url)[0] for url in getproxies().values())
    rules = ConnectionRules(find_origin(normalize(options.source)), proxies)
    from scrapy.utils.reactor import install_reactor

    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from scrapy.crawler import CrawlerRunner
    from scrapy.utils.log import configure_logging
    from twisted.internet._resolver import GAIResolver

    from hookwright_documentation.crawl.settings import build_settings
    from hookwright_documentation.crawl.spider import DocumentationSpider

    reactor: Any = import_module("twisted.internet.reactor")
    settings = build_settings(options, started)
    configure_logging(settings)
    runner = CrawlerRunner(settings)
    crawler = runner.create_crawler(DocumentationSpider)

    def begin() -> None:
        crawling: Any = runner.crawl(crawler, options, store, memory, rules, tell)
        crawling.addErrback(lambda failure: failure.printTraceback(sys.stderr))
        crawling.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    # Each connection goes to an address that the rules have let through.
    lookup = cast("Any", rules.find_addresses)
    reactor.installNameResolver(GAIResolver(reactor, getaddrinfo=lookup))
    reactor.run(installSignalHandlers=False)
    result = build_result(cast("DocumentationSpider", crawler.spider))
    memory.save()
    return results.finish(result, store, folder, started)


if __name__ == "__main__":
    main()
