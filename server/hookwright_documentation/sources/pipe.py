"""Read text from a pipe, for example mytool --help | hookwright setup mytool -."""

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources import plain_text, results
from hookwright_documentation.sources.folder import is_text
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport, Source

PIPE = "-"
SCHEME = "pipe://"
HTML = "text/html; charset=utf-8"
MAX_TEXT = 5_000_000  # bytes
PATIENCE = 60.0  # seconds to wait for the end of the input
EXAMPLE = "mytool --help | hookwright setup mytool -"


def recognise(text: str) -> Source | None:
    return Source(PIPE, is_local=True, is_pipe=True) if text == PIPE else None


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    store = results.start(options, folder)
    body = read_pipe()
    if not is_text(body.replace(b"\b", b"")):
        raise ReportedError("the piped input is not text: pipe a tool's output")
    text = plain_text.drop_controls(body.decode("utf-8", "replace"))
    if not text.strip():
        raise ReportedError(f"the pipe was empty; for example: {EXAMPLE} (2>&1 for errors)")
    html = plain_text.Layout(is_manual=False).write(text)
    page = FetchedPage(SCHEME + options.name, HTML, plain_text.wrap_page(options.name, html))
    urls = store.put_all([page], progress, 1)
    return results.finish(CrawlReport(SCHEME, options.language, options.version), urls, store)


def ask_at_terminal() -> None:
    """Read answers from the terminal if there is one; `sys.__stdin__` remains the pipe."""
    with suppress(OSError):
        sys.stdin = open("CONIN$" if os.name == "nt" else "/dev/tty", encoding="utf-8")  # noqa: PTH123, SIM115


def read_pipe() -> bytes:
    stream = sys.__stdin__ if sys.stdin and sys.stdin.isatty() else sys.stdin
    if stream is None or stream.isatty():
        raise ReportedError(f"nothing is piped into this command: {EXAMPLE}")
    read: list[bytes] = []
    thread = threading.Thread(
        target=lambda: read.append(stream.buffer.read(MAX_TEXT + 1)), daemon=True
    )
    thread.start()
    thread.join(PATIENCE)
    if not read:
        raise ReportedError(
            f"the pipe was still open after {PATIENCE:g} s: stop the program that writes to it"
        )
    if len(read[0]) > MAX_TEXT:
        raise ReportedError(f"over {MAX_TEXT // 1_000_000} MB came through the pipe: pipe a part")
    return read[0]
