"""What a crawl took: written when it ends, and read by the steps after it."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import read_regular
from hookwright_documentation.crawl.options import CrawlOptions, CrawlReport
from hookwright_documentation.crawl.page_store import PageStore
from hookwright_documentation.crawl.site_files import WHOLE, read_objects, split_whole
from hookwright_documentation.pages import FetchedPage, NamedTarget

RESULT = "crawl.json"
UNFINISHED = "unfinished.json"
RECENT = 86_400  # seconds within which a stopped crawl goes on, as its pages are still fresh


@dataclass(frozen=True)
class CrawlResult:
    """What a crawl took."""

    prefix: str  # the address that all pages begin with
    language: str
    version: str  # the version that is documented, or ""
    pages: tuple[str, ...]  # the addresses of the pages, in order
    inventory: str  # the address of objects.inv, or ""
    notes: tuple[str, ...]  # lines for the user
    choices: tuple[str, ...]  # which language and version were taken, in lines
    license: str = ""  # the SPDX identifier of the licence that the source names, or ""
    site: str = ""  # the URL of the site that the source is documented on, or ""
    # What the source itself names: the name and the address of each.
    targets: tuple[tuple[str, str], ...] = ()
    copyright: str = ""  # the copyright notice that the source gives, or ""


def start(options: CrawlOptions, folder: Path) -> float:
    """Return when the crawl began that goes on now, in seconds since 1970; raises OSError.

    A crawl with the same options that did not end goes on; its files count as fetched.
    """
    wanted = {
        name: getattr(options, name)
        for name in ("source", "prefix", "language", "version", "python")
    }
    begun = _read_json(folder / UNFINISHED)
    now, before = time.time(), begun.get("started")
    if begun.get("options") == wanted and isinstance(before, float) and now - before < RECENT:
        return before
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / UNFINISHED) as file:
        json.dump({"options": wanted, "started": now}, file)
    return now


def finish(result: CrawlResult, store: PageStore, folder: Path, started: float) -> CrawlReport:
    """Write what a crawl took, and remove the files of pages that it did not take.

    Raises:
        OSError: The folder cannot be written.

    """
    with replacing(folder / RESULT) as file:
        json.dump(asdict(result), file, ensure_ascii=False)
    store.keep_only({*result.pages, result.inventory})
    (folder / UNFINISHED).unlink(missing_ok=True)
    pages = unchanged = 0
    for url in result.pages:
        if head := store.get_head(url):
            number = count_parts(url, store, result.prefix)
            pages += number
            unchanged += number if head.changed < started else 0
    return CrawlReport(
        result.prefix,
        result.language,
        result.version,
        pages,
        unchanged,
        result.notes,
        result.choices,
        result.license,
        result.site,
        result.copyright,
    )


def count_parts(url: str, store: PageStore, prefix: str) -> int:
    if not url.endswith("/" + WHOLE):
        return 1
    stored = store.get(url)
    return len(split_whole(stored.page, prefix)) if stored else 0


def read_pages(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs."""
    if (result := _read_result(folder)) is None:
        return
    store = PageStore(folder)
    for url in result.pages:
        if stored := store.get(url):
            yield from split_whole(stored.page, result.prefix)


def read_targets(folder: Path) -> list[NamedTarget]:
    """Return what the objects.inv, or other index, that the last crawl took names."""
    result = _read_result(folder)
    if result is None:
        return []
    targets = [NamedTarget(name, url) for name, url in result.targets]
    stored = PageStore(folder).get(result.inventory) if result.inventory else None
    targets += read_objects(stored.page).targets if stored else []
    return [target for target in targets if target.url.startswith(result.prefix)]


def order(urls: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(set(urls)))


def _read_result(folder: Path) -> CrawlResult | None:
    saved = _read_json(folder / RESULT)
    try:
        values = {one.name: saved[one.name] for one in fields(CrawlResult) if one.name in saved}
        lines = {name: tuple(values[name]) for name in ("pages", "notes", "choices")}
        return CrawlResult(**{**values, **lines})
    except (KeyError, TypeError):
        return None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        saved = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return saved if isinstance(saved, dict) else {}
