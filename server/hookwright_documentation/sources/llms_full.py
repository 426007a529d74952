"""Fetch an llms-full.txt that the user specified: a whole documentation as one text."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import find_whole_path, read_regular
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.cutting.text_files import mark_code
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import (
    CrawlOptions,
    CrawlReport,
    Source,
    find_url_fault,
    split,
)
from hookwright_documentation.sources.site_files import (
    PAGE_START,
    WHOLE,
    has_sections,
    split_whole,
)
from hookwright_documentation.sources.urls import find_url_folder, normalize

MARKDOWN = "text/markdown; charset=utf-8"
OTHERS = re.compile(r"[\W_]+")
MAX_NAME = 60  # characters of a title used in an address
MIN_TITLES = 3  # minimum number of titles for splitting the text into pages


def recognise(text: str) -> Source | None:
    if "://" not in text:
        place = Path(find_whole_path(text))
        is_text = place.suffix == ".txt" and place.is_file()
        return Source(str(place), str(place)) if is_text else None
    parts = split(text)
    is_whole_url = parts.scheme in ("http", "https") and parts.path.endswith("/" + WHOLE)
    return Source(text, fault=find_url_fault(text)) if is_whole_url else None


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    store = results.start(options, folder)
    is_remote = "://" in options.source
    if is_remote:
        from hookwright_documentation.sources.site.reactor import fetch_files

        url = normalize(options.source)
        body = fetch_files(options, [url], folder, store.started)[url]
    else:
        path = Path(options.source)
        body = read_regular(path)
        url = (options.prefix or path.parent.as_uri()).rstrip("/") + "/" + WHOLE
    page = FetchedPage(url, MARKDOWN, body)
    if not has_sections(body):
        raise ReportedError(
            f"{shorten_url(options.source)}: no documentation in markdown, with several headings: "
            "use another file, or the URL of the site"
        )
    prefix = options.prefix or find_prefix(page, is_remote=is_remote)
    parts = split_whole(page, prefix)
    if parts == [page]:
        parts = list(split_titles(page))
    urls = store.put_all(parts, progress, len(parts))
    took = f"split {shorten_url(options.source)} into {len({*urls}):,} pages of {shorten(prefix)}"
    return results.finish(CrawlReport(prefix, choices=(took,)), urls, store)


def find_prefix(page: FetchedPage, *, is_remote: bool) -> str:
    found = PAGE_START.finditer(page.body.decode("utf-8", "replace"))
    urls = [url for match in found if (url := normalize(match[1]))]
    own = urlsplit(page.url if is_remote or not urls else urls[0]).netloc
    folders = [find_url_folder(url) for url in urls if urlsplit(url).netloc == own]
    shared = os.path.commonprefix(folders or [find_url_folder(page.url)])  # noqa: RUF071 - of URLs
    return shared.rpartition("/")[0] + "/"


def split_titles(page: FetchedPage) -> Iterator[FetchedPage]:
    """Yield a page per title of a text without addresses, or the whole text as one page."""
    lines = page.body.decode("utf-8", "replace").split("\n")
    marked = enumerate(mark_code(lines))
    starts = [at for at, (line, is_code) in marked if not is_code and line.startswith("# ")]
    if len(starts) < MIN_TITLES:
        yield page
        return
    known: dict[str, int] = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        name = OTHERS.sub("-", lines[start][2:].casefold()).strip("-")[:MAX_NAME] or "page"
        known[name] = known.get(name, 0) + 1
        name += f"-{known[name]}" if known[name] > 1 else ""
        text = "\n".join(lines[start:end])
        yield FetchedPage(f"{page.url}?page={name}", MARKDOWN, text.encode())
