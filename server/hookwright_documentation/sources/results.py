"""A crawl's result, which the crawl writes when it finishes and later steps read.

Each URL's response is stored in a file whose first line contains the headers.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hookwright_console.files.atomic import write_json
from hookwright_console.files.regular import read_object, read_regular
from hookwright_console.network.addresses import shorten_url
from hookwright_console.terminal import count
from hookwright_console.text import shorten
from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.registry import CrawlOptions, CrawlReport
from hookwright_documentation.sources.site_files import WHOLE, split_whole

RESULT = "crawl.json"
UNFINISHED = "unfinished.json"
RECENT = 86_400  # seconds; a stopped crawl is resumed only while its pages are at most this old
PAGES = "fetched"
MAX_PAGE = 20_000_000  # bytes, decompressed
KEPT_HEADERS = ("content-type", "etag", "last-modified", "x-robots-tag")


@dataclass(frozen=True)
class StoredPage:
    """A stored response."""

    url: str
    headers: dict[str, str]  # response headers needed later, with lower-case names
    body: bytes  # decompressed
    checked: float  # time of the last confirmation by the site, in seconds since 1970

    @property
    def page(self) -> FetchedPage:
        return FetchedPage(self.url, self.headers.get("content-type", ""), self.body)


class PageStore:
    """A folder with a site's stored responses."""

    def __init__(
        self, folder: Path, started: float = 0.0, options: CrawlOptions | None = None
    ) -> None:
        self.folder = folder
        self.started = started  # start of the crawl, in seconds since 1970
        self.notes: list[str] = []  # messages for the user about the crawl
        self.left: dict[str, str] = {}  # reasons for leaving out pages, by name
        self._options = options or CrawlOptions("")
        self._folder = folder / PAGES
        self._folder.mkdir(parents=True, exist_ok=True)

    def get(self, url: str) -> StoredPage | None:
        path = self._find(url)
        try:
            first, _, body = read_regular(path).partition(b"\n")
            head, digest = json.loads(first), hashlib.sha256(body).hexdigest()
            if (head["url"], head["digest"]) != (url, digest):
                return None
            return StoredPage(url, head["headers"], body, path.stat().st_mtime)
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None

    def put(self, url: str, headers: dict[str, str], body: bytes, now: float) -> None:
        digest = hashlib.sha256(body).hexdigest()
        kept = {name: headers[name] for name in KEPT_HEADERS if name in headers}
        head = {"url": url, "headers": kept, "digest": digest}
        path = self._find(url)
        partial = path.with_suffix(".partial")
        partial.write_bytes(json.dumps(head).encode() + b"\n" + body)
        partial.replace(path)  # without fsync, because a file truncated by a crash is fetched again
        self.confirm(url, now)

    def put_all(
        self,
        pages: Iterable[FetchedPage],
        progress: Callable[[int, int], None] = lambda _done, _known: None,
        known: int = 0,
    ) -> list[str]:
        """Store pages up to the crawl's limits; return their addresses."""
        urls, size = list[str](), 0
        for page in pages:
            is_full = len(urls) >= self._options.max_pages
            if is_full or size >= self._options.max_bytes:
                reached = f"{len(urls):,} of {known:,} pages" if known else count(len(urls), "page")
                reason = "--max-pages" if is_full else f"{size:,} bytes"
                self.notes.append(f"stopped at {reached} ({reason})")
                break
            self.put(page.url, {"content-type": page.content_type}, page.body, time.time())
            urls.append(page.url)
            size += len(page.body)
            progress(len(urls), known)
        return urls

    def confirm(self, url: str, now: float) -> None:
        """Record that the response for a URL has not changed on the site."""
        with suppress(OSError):
            os.utime(self._find(url), (now, now))

    def keep_only(self, urls: set[str]) -> None:
        wanted = {self._find(url) for url in urls}
        for path in list(self._folder.iterdir()):
            if path not in wanted:
                path.unlink()

    def _find(self, url: str) -> Path:
        return self._folder / hashlib.sha256(url.encode()).hexdigest()[:32]


def start(options: CrawlOptions, folder: Path) -> PageStore:
    """Return the page store for a new or resumed crawl; raises OSError.

    An unfinished crawl with the same options is resumed, and its files count as fetched.
    """
    wanted = {
        name: getattr(options, name)
        for name in ("source", "prefix", "language", "version", "python")
    }
    begun = read_object(folder / UNFINISHED)
    now, before = time.time(), begun.get("started")
    if begun.get("options") == wanted and isinstance(before, float) and now - before < RECENT:
        return PageStore(folder, before, options)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / UNFINISHED, {"options": wanted, "started": now})
    return PageStore(folder, now, options)


def finish(
    report: CrawlReport,
    urls: Iterable[str],
    store: PageStore,
    targets: Sequence[NamedTarget] = (),
) -> CrawlReport:
    """Write the crawl's result, and remove files that belong to other pages; raises OSError.

    `targets` are the names that the source itself assigns to addresses.
    """
    report = replace(report, notes=(*store.notes, *describe_left_out(store.left), *report.notes))
    ordered = sorted(set(urls))
    taken = {**asdict(report), "pages": ordered, "targets": targets}
    write_json(store.folder / RESULT, taken)
    store.keep_only(set(ordered))
    (store.folder / UNFINISHED).unlink(missing_ok=True)
    is_whole = len(ordered) == 1 and ordered[0].endswith("/" + WHOLE)
    return replace(
        report, pages=sum(1 for _ in read_fetched(store.folder)) if is_whole else len(ordered)
    )


def describe_left_out(left: Mapping[str, str], noun: str = "page") -> list[str]:
    """Describe what was left out, if anything, by the number and the first name with its reason."""
    shown = [f"{shorten_url(name)}: {shorten(reason)}" for name, reason in left.items()]
    return [f"{count(len(left), noun)} left out, such as {first}" for first in shown[:1]]


def read_fetched(folder: Path) -> Iterator[FetchedPage]:
    """Yield the last crawl's pages, sorted by URL."""
    result, store = _read_result(folder), PageStore(folder)
    for url in result["pages"]:
        if stored := store.get(url):
            yield from split_whole(stored.page, result["prefix"])


def read_inventory(folder: Path) -> list[NamedTarget]:
    result = _read_result(folder)
    targets = (NamedTarget(*target) for target in result["targets"])
    return [target for target in targets if target.url.startswith(result["prefix"])]


def _read_result(folder: Path) -> dict[str, Any]:
    """Return the prefix, pages and targets; all are empty if there was no crawl."""
    nothing = {"prefix": "", "pages": [], "targets": []}
    saved = read_object(folder / RESULT)
    return nothing | saved if isinstance(saved.get("pages"), list) else nothing
