"""What a crawl took: written when it ends, and read by the steps after it."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
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


def finish(
    report: CrawlReport,
    urls: Iterable[str],
    store: PageStore,
    started: float,
    *,
    inventory: str = "",
    targets: Sequence[tuple[str, str]] = (),
) -> CrawlReport:
    """Write what a crawl took, and remove the files of other pages; raises OSError."""
    ordered = sorted(set(urls))
    taken = {**asdict(report), "pages": ordered, "inventory": inventory, "targets": targets}
    with replacing(store.folder / RESULT) as file:
        json.dump(taken, file, ensure_ascii=False)
    store.keep_only({*ordered, inventory})
    (store.folder / UNFINISHED).unlink(missing_ok=True)
    pages = unchanged = 0
    for url in ordered:
        if head := store.get_head(url):
            number = count_parts(url, store, report.prefix)
            pages += number
            unchanged += number if head.changed < started else 0
    return replace(report, pages=pages, unchanged=unchanged)


def count_parts(url: str, store: PageStore, prefix: str) -> int:
    if not url.endswith("/" + WHOLE):
        return 1
    stored = store.get(url)
    return len(split_whole(stored.page, prefix)) if stored else 0


def read_pages(folder: Path) -> Iterator[FetchedPage]:
    """Yield the pages that the last crawl took, in the order of their URLs."""
    prefix, urls, _, _ = _read_result(folder)
    store = PageStore(folder)
    for url in urls:
        if stored := store.get(url):
            yield from split_whole(stored.page, prefix)


def read_targets(folder: Path) -> list[NamedTarget]:
    """Return what the objects.inv, or other index, that the last crawl took names."""
    prefix, _, inventory, named = _read_result(folder)
    targets = [NamedTarget(name, url) for name, url in named]
    stored = PageStore(folder).get(inventory) if inventory else None
    targets += read_objects(stored.page).targets if stored else []
    return [target for target in targets if target.url.startswith(prefix)]


def _read_result(folder: Path) -> tuple[str, list[str], str, list[tuple[str, str]]]:
    """Return the prefix, the pages, the inventory and the targets; empty ones without a crawl."""
    saved = _read_json(folder / RESULT)
    try:
        return saved["prefix"], [*saved["pages"]], saved["inventory"], saved.get("targets", [])
    except (KeyError, TypeError):
        return "", [], "", []


def _read_json(path: Path) -> dict[str, Any]:
    try:
        saved = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return saved if isinstance(saved, dict) else {}
