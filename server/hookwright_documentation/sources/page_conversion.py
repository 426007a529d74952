"""Convert pages in a child process, so that a page can stall or crash only that process."""

import os
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.pages import Draft, FetchedPage
from hookwright_documentation.sources.child_process import PAGE_LIMIT, running

if TYPE_CHECKING:
    from typing_extensions import Self

NO_TEXT = "no text in it"
SHORT_LIMIT = 2.0  # seconds; a longer limit is halved after each page that exceeds it


class PageConverter:
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

    def __enter__(self) -> "Self":
        return self

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
    from hookwright_documentation.cutting.page_files import check

    try:
        draft = draft_page(fetched, linked, *arguments)
        if draft is None:
            is_large = len(fetched.body) > LARGE_BODY
            return f"over {LARGE_BODY // 1_000_000} MB" if is_large else NO_TEXT
        check(draft.page, draft.page.url)
    except RefusedError:
        return "an invalid address or title"
    except Exception as error:  # noqa: BLE001 - whatever a page has in it, the others are converted
        return f"cannot be read ({type(error).__name__})"
    return draft
