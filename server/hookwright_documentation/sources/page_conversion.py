"""Convert pages in a child process, so that a page can only stall or crash that process."""

import json
import os
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable
from contextlib import ExitStack, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.pages import Draft, FetchedPage, Page
from hookwright_documentation.sources import child_process
from hookwright_documentation.sources.child_process import find_folders, send, start

if TYPE_CHECKING:
    from typing_extensions import Self

PACKAGES = ("hookwright_documentation", "hookwright_console", "docutils", "lxml", "markdown_it")
READY = b"ready\n"
MAX_MEMORY = 3_000_000_000  # bytes: the largest page's tree takes a quarter
NO_TEXT = "no text in it"


class PageConverter:
    """Converts pages one after the other, inside a `with` block."""

    def __init__(
        self,
        crawled: str,
        version: str = "",
        license: str = "",  # noqa: A002
        time_limit: float = child_process.PAGE_LIMIT,
    ) -> None:
        self._task = {"arguments": [crawled, version, license], "time_limit": time_limit}
        self._stack = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def convert(self, fetched: FetchedPage, linked: Iterable[str] = ()) -> Draft:
        """Return a page in markdown; raises RefusedError with the reason if it is left out.

        `linked` are its fragments that are link targets.
        """
        body = b64encode(fetched.body).decode()
        process = self._process or self._start()
        line = b""
        with suppress(BrokenPipeError):
            send(process, [fetched.url, fetched.content_type, body, sorted(linked)])
            line = process.stdout.readline() if process.stdout else b""
        if not line:
            self._end()
            took_long = process.returncode == child_process.TOOK_TOO_LONG
            limit = f"takes over {self._task['time_limit']:g} s"
            raise RefusedError(limit if took_long else "crashes the process that reads it")
        values, reason = json.loads(line)
        if reason:
            raise RefusedError(reason)
        return Draft(Page(**values["page"]), tuple(values["titles"]), values["lines"])

    def _start(self) -> "subprocess.Popen[bytes]":
        process = self._stack.enter_context(
            start(__name__, find_folders(PACKAGES), subprocess.DEVNULL)
        )
        send(process, {**self._task, "parent": os.getpid()})
        if not process.stdout or process.stdout.readline() != READY:
            raise ReportedError("cannot start a process that converts pages: install again")
        self._process = process
        return process

    def _end(self) -> None:
        self._process = None
        self._stack.close()


def main() -> None:
    task = json.loads(sys.stdin.buffer.readline())
    child_process.end_with_parent(task["parent"])
    child_process.limit_memory(MAX_MEMORY)
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # other printed text is not an answer
    import hookwright_documentation.cutting.conversion  # noqa: F401 - not in the time of a page

    output.write(READY)
    output.flush()
    for line in sys.stdin.buffer:
        url, kind, body, linked = json.loads(line)
        fetched = FetchedPage(url, kind, b64decode(body))
        with child_process.limiting_time(task["time_limit"]):
            answer = convert_one(fetched, frozenset(linked), *task["arguments"])
        output.write(json.dumps(answer).encode() + b"\n")
        output.flush()


def convert_one(
    fetched: FetchedPage, linked: Collection[str], *arguments: str
) -> tuple[dict[str, Any] | None, str]:
    from hookwright_documentation.cutting.conversion import LARGE_BODY, draft_page
    from hookwright_documentation.cutting.page_files import check

    try:
        draft = draft_page(fetched, linked, *arguments)
        if draft is None:
            is_large = len(fetched.body) > LARGE_BODY
            return None, f"over {LARGE_BODY // 1_000_000} MB" if is_large else NO_TEXT
        check(draft.page, draft.page.url)
    except RefusedError:
        return None, "an invalid address or title"
    except Exception as error:  # noqa: BLE001 - whatever a page has in it, the others are converted
        return None, f"cannot be read ({type(error).__name__})"
    return asdict(draft), ""
