"""Crawl sources and convert pages in child processes, which end with their parent or when stuck.

Twisted's reactor cannot be restarted, and a page that crashes or blocks a parser ends only the
child. A thread would not suffice: it could not interrupt a regular expression or a parser that
blocks all other threads.
"""

import ctypes
import errno
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.extras import explain_missing
from hookwright_console.programs import in_trusted_folder
from hookwright_documentation.databases import locking
from hookwright_documentation.pages import Draft, FetchedPage
from hookwright_documentation.sources.registry import (
    CrawlOptions,
    CrawlReport,
    SourceKind,
    UnfinishedError,
    find_kind,
)

LOG = "crawl.log"
PACKAGES = ("scrapy", "filelock", "griffe", "docutils", "lxml", "markdown_it")
LOCK_PATIENCE = 5.0  # seconds to wait for a lock held by a process whose parent was killed
STUCK = 60.0  # seconds during which no Python thread runs
PAGE_LIMIT = 20.0  # seconds per page
PR_SET_PDEATHSIG = 1
SELDOM = 0.1  # seconds between progress messages
NO_TEXT = "no text in it"
SHORT_LIMIT = 2.0  # seconds; a longer limit is halved after each page that exceeds it
GRACE = 300.0  # seconds after the time limit for writing the result
MAX_MEMORY = 3_000_000_000  # bytes, regardless of what a site sends


def crawl(
    options: CrawlOptions,
    folder: Path,
    progress: Callable[[int, int], None] = lambda _done, _known: None,
) -> CrawlReport:
    """Fetch a documentation's pages, or only those that changed; raises ReportedError.

    `folder` keeps the fetched data: calling this function again resumes an interrupted crawl, and a
    crawl that finds nothing keeps the previous result. `progress` receives the numbers of fetched
    and known pages. If the child process ends while reading an item that it has announced, it is
    restarted and skips that item.
    """
    kind, _ = find_kind(options.source)
    skipped: list[str] = []
    end = time.monotonic() + options.time_limit
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not kind.in_child:
            report: CrawlReport = kind.load().take(options, folder, progress)
            return report
        while time.monotonic() < end:
            arguments = (kind, options, folder.resolve(), skipped)
            with running(take_in_child, folder.resolve() / LOG, *arguments) as channel:
                result, reading = receive_result(channel, progress)
            if isinstance(result, Exception):
                raise result
            if result:
                progress(result.pages, result.pages)
                return result
            if not reading:
                break
            skipped.append(reading)
    except OSError as error:
        raise ReportedError(
            f"{error.filename or folder}: {error.strerror}: choose another folder"
        ) from None
    raise UnfinishedError(f"the crawl ended early: run it again to continue (see {folder / LOG})")


@contextmanager
def running(target: Callable[..., None], log: Path | str, *arguments: Any) -> Iterator[Connection]:
    """Run a function in a child process, yield the channel to it, and finally kill the process."""
    for name in PACKAGES:
        if find_spec(name) is None:
            raise ReportedError(explain_missing(name, "docs"))
    context = get_context("spawn")  # a fork would copy locks held by other threads
    channel, childs = context.Pipe()
    process = context.Process(
        target=start, args=(Path(log).absolute(), target, childs, *arguments), daemon=True
    )
    with in_trusted_folder():
        process.start()
    childs.close()
    try:
        yield channel
    finally:
        channel.close()
        process.kill()
        process.join()


def start(log: Path | str, target: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and kills this process
    parent = parent_process()
    end_with_parent(parent.pid if parent and parent.pid else 0)
    limit_memory(MAX_MEMORY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for stream in (1, 2):
        os.dup2(output, stream)
    target(*arguments)


def receive_result(
    channel: Connection, progress: Callable[[int, int], None]
) -> tuple[CrawlReport | ReportedError | OSError | None, str]:
    """Return the result and "", or if the process ended early, None and the last item it read."""
    reading = ""
    with suppress(EOFError, OSError):
        while True:
            kind, *values = channel.recv()
            if kind == "result":
                return values[0], ""
            if kind == "reading":
                reading = values[0]
            else:
                progress(*values)
    return None, reading


def end_with_parent(parent: int) -> None:
    """Make Linux kill this process when its parent ends, regardless of its state."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def end_when_stuck(time_limit: float, stuck: float = STUCK) -> None:
    end = time.monotonic() + time_limit

    def watch() -> None:
        while time.monotonic() < end:
            # The timer is not a Python thread, so it also runs when all of those are blocked.
            faulthandler.dump_traceback_later(stuck, exit=True)
            time.sleep(min(stuck, time_limit) / 4)
        faulthandler.dump_traceback()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def limit_memory(most: int) -> None:
    """Make allocations beyond a limit raise MemoryError; has no effect on Windows."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):  # macOS may refuse the limit
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def take_in_child(
    channel: Connection,
    kind: SourceKind,
    options: CrawlOptions,
    folder: Path,
    skipped: Sequence[str],
) -> None:
    for name in [name for name in os.environ if name.startswith("SCRAPY_")]:
        del os.environ[name]
    shown = 0.0

    def show(done: int, known: int) -> None:
        nonlocal shown
        if time.monotonic() - shown > SELDOM:
            shown = time.monotonic()
            channel.send(("progress", done, known))

    @contextmanager
    def reading(item: str) -> Iterator[None]:
        """Limit the time per item; raises TimeoutError if the item ended a previous process."""
        if item in skipped:
            raise TimeoutError(
                errno.ETIMEDOUT, "takes too long, or crashes the process that reads it"
            )
        channel.send(("reading", item))
        faulthandler.dump_traceback_later(PAGE_LIMIT, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
        channel.send(("reading", ""))

    result: CrawlReport | ReportedError | OSError
    try:
        with locking(folder, LOCK_PATIENCE):
            if not kind.has_steps:
                end_when_stuck(options.time_limit + GRACE)
            callbacks = (show, reading) if kind.has_steps else (show,)
            result = kind.load().take(options, folder, *callbacks)
    except (UnfinishedError, OSError) as error:
        result = error
    except ReportedError as error:
        result = ReportedError(str(error))
    channel.send(("result", result))


class PageConverter(AbstractContextManager["PageConverter"]):
    """Converts pages one at a time, inside a `with` block."""

    def __init__(
        self,
        crawled: str,
        version: str = "",
        license: str = "",  # noqa: A002
        time_limit: float = PAGE_LIMIT,
    ) -> None:
        self._arguments = (crawled, version, license)
        self._time_limit = time_limit
        self._stack = ExitStack()
        self._channel: Connection | None = None

    def __exit__(self, *_: object) -> None:
        self._end()

    def convert(self, fetched: FetchedPage, linked: Iterable[str] = ()) -> Draft:
        """Return a page in markdown; raises RefusedError with the reason if the page is omitted.

        `linked` contains the page's fragments that other links refer to.
        """
        channel = self._channel or self._start()
        try:
            channel.send((fetched, frozenset(linked)))
            is_lost = not channel.poll(self._time_limit)
            result: Draft | str = (
                f"takes over {self._time_limit:g} s" if is_lost else channel.recv()
            )
        except (EOFError, OSError):
            is_lost, result = True, "crashes the process that reads it"
        if is_lost:
            self._end()
            self._time_limit /= 2 if self._time_limit > SHORT_LIMIT else 1
        if isinstance(result, str):
            raise RefusedError(result)
        return result

    def _start(self) -> Connection:
        channel = self._stack.enter_context(running(convert_all, os.devnull, *self._arguments))
        try:
            channel.recv()
        except (EOFError, OSError):
            raise ReportedError(
                "cannot start a process that converts pages: install again"
            ) from None
        self._channel = channel
        return channel

    def _end(self) -> None:
        self._channel = None
        self._stack.close()


def convert_all(channel: Connection, *arguments: str) -> None:
    import hookwright_documentation.cutting.conversion  # noqa: F401 - not in the time of a page

    channel.send("ready")
    while True:
        channel.send(convert_one(*channel.recv(), *arguments))


def convert_one(fetched: FetchedPage, linked: Collection[str], *arguments: str) -> Draft | str:
    """Return a page in markdown, or the reason for omitting it."""
    from hookwright_documentation.cutting.conversion import LARGE_BODY, draft_page
    from hookwright_documentation.cutting.page_files import is_valid

    try:
        draft = draft_page(fetched, linked, *arguments)
        if draft is None:
            is_large = len(fetched.body) > LARGE_BODY
            return f"over {LARGE_BODY // 1_000_000} MB" if is_large else NO_TEXT
    except Exception as error:  # noqa: BLE001 - whatever a page has in it, the others are converted
        return f"cannot be read ({type(error).__name__})"
    return draft if is_valid(draft.page) else "an invalid address or title"
