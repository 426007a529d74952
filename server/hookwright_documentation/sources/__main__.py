"""The process of a crawl: options on standard input, progress and the result on standard output.

It ends when its standard input does, so it does not outlive the process that started it. Where it
is too busy to notice, `child_process` ends it.
"""

import errno
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources import child_process, results
from hookwright_documentation.sources.options import CrawlOptions, CrawlReport, UnfinishedError
from hookwright_documentation.sources.recognition import Kind, find_kind
from hookwright_documentation.sources.results import PageStore

GRACE = 300.0  # seconds to write the result in, after the time limit
MAX_MEMORY = 3_000_000_000  # bytes, whatever a site sends or a compiler needs
SELDOM = 0.1  # seconds between two lines of progress


def main() -> None:
    task = json.loads(sys.stdin.buffer.readline())
    options, folder = CrawlOptions(**task["options"]), Path(task["folder"])
    child_process.end_with_parent(task["parent"])
    child_process.limit_memory(MAX_MEMORY)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what else is printed is no message
    threading.Thread(target=end_with_input, daemon=True).start()

    def tell(kind: str, *values: Any) -> None:
        print(json.dumps([kind, *values]), file=output, flush=True)

    try:
        with child_process.locking(folder):
            if find_kind(options.source) == Kind.PYTHON:
                report = take_python(options, folder, tell, task["skipped"])
            else:
                child_process.end_when_stuck(options.time_limit + GRACE)
                report = run(options, folder, report_progress(tell))
    except UnfinishedError as error:
        tell("unfinished", str(error))
    except ReportedError as error:
        tell("error", str(error))
    except OSError as error:
        tell("error", f"{error.filename or folder}: {error.strerror}")
    else:
        tell("report", asdict(report))
    os._exit(0)  # at once: a thread still reads standard input


def end_with_input() -> None:
    """Wait for the end of standard input, and end this process; its files are whole at any time."""
    sys.stdin.buffer.read()
    os._exit(1)


def report_progress(tell: Callable[..., None]) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, known: int) -> None:
        nonlocal last
        if time.monotonic() - last > SELDOM:
            last = time.monotonic()
            tell("progress", done, known)

    return report


def run(options: CrawlOptions, folder: Path, tell: Callable[[int, int], None]) -> CrawlReport:
    """Take a source; raises ReportedError, OSError."""
    kind = find_kind(options.source)
    if kind == Kind.DEVDOCS:
        from hookwright_documentation.sources.devdocs import take_devdocs

        return take_devdocs(options, folder, tell)
    if kind == Kind.WHOLE:
        from hookwright_documentation.sources.llms_full import take_whole

        return take_whole(options, folder, tell)
    return take_site(options, folder, tell)


def take_python(
    options: CrawlOptions, folder: Path, tell: Callable[..., None], skipped: Sequence[str]
) -> CrawlReport:
    """Take the API of packages; errors as of `run`."""
    from hookwright_documentation.sources.python_packages.api import take_packages

    @contextmanager
    def reading(name: str) -> Iterator[None]:
        if name in skipped:
            raise TimeoutError(errno.ETIMEDOUT, "takes too long, or ends the process that reads it")
        tell("reading", name)
        with child_process.limiting_time(child_process.PAGE_LIMIT):
            yield
        tell("reading", "")

    return take_packages(options, folder, report_progress(tell), reading)


def take_site(options: CrawlOptions, folder: Path, tell: Callable[[int, int], None]) -> CrawlReport:
    """Crawl a site; errors as of `run`."""
    from hookwright_documentation.sources.site.markup import MarkupMemory
    from hookwright_documentation.sources.site.reactor import build_rules, run_spider
    from hookwright_documentation.sources.site.spider import DocumentationSpider, build_report

    started = results.start(options, folder)
    store, memory, rules = PageStore(folder), MarkupMemory(folder), build_rules(options)
    arguments = (options, store, memory, rules, tell)
    spider = run_spider(DocumentationSpider, options, started, rules, *arguments)
    urls = spider.selection.list_urls()
    report = build_report(spider, urls)
    memory.save()
    return results.finish(report, urls, store, started, inventory=spider.inventory)


if __name__ == "__main__":
    main()
