"""Fetch a documentation built by DevDocs: index.json and db.json.

index.json lists the names as `{"entries": [{"name", "path", "type"}]}`. db.json contains each
page's HTML by path, with an attribution at the end. An optional meta.json contains the version.
"""

import json
import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import find_whole_path, read_regular
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import remove_hidden, shorten
from hookwright_documentation.cutting.licenses import recognise as recognise_license
from hookwright_documentation.cutting.markdown import clean_fragment
from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import (
    CrawlOptions,
    CrawlReport,
    Source,
    find_url_fault,
    split,
)
from hookwright_documentation.sources.results import MAX_PAGE
from hookwright_documentation.sources.site_files import VERSION
from hookwright_documentation.sources.urls import normalize

INDEX, PAGES = FILES = ("index.json", "db.json")
DEVDOCS_HOST = "documents.devdocs.io"
META = "meta.json"
HTML = "text/html; charset=utf-8"
READABLE = "https://devdocs.io/"  # site that shows the same content to human readers
MAX_ENTRIES = 100_000
MAX_PATH, MAX_NAME, MAX_NOTICE = 500, 200, 4_000  # characters
SAFE = "/~@!$&'()*+,;=:._-"  # characters kept unescaped in an address's path
TAGS = re.compile(r"<[^<>]*>")
ATTRIBUTION = '<div class="_attribution">'  # start of a page's last element
OWN_LINK = re.compile(r"<a\s[^<>]*\b_attribution-link\b[^<>]*>[^<>]*</a>")


def recognise(text: str) -> Source | None:
    if "://" not in text:
        place = find_whole_path(text)
        is_there = all((Path(place) / name).is_file() for name in FILES)
        return Source(place, place) if is_there else None
    parts = split(text)
    is_host = (parts.hostname or "").lower() == DEVDOCS_HOST and parts.path.strip("/")
    if parts.scheme in ("http", "https") and (is_host or parts.path.rpartition("/")[2] in FILES):
        return Source(text, fault=find_url_fault(text))
    return None


def take(options: CrawlOptions, folder: Path, progress: Callable[[int, int], None]) -> CrawlReport:
    store = results.start(options, folder)
    files, prefix = get_files(options, folder, store.started)
    pages = read_object(files[PAGES], PAGES, options.source)
    entries = read_object(files[INDEX], INDEX, options.source).get("entries")
    meta = read_object(files.get(META, b"{}"), META, options.source)
    attribution = read_field(meta, "attribution")
    known = {}
    for path, html in sorted(pages.items()):
        if is_path(path) and isinstance(html, str) and len(html) <= MAX_PAGE:
            known[path] = html
        else:
            store.left[path] = "an invalid path or page"

    def take_pages() -> Iterator[FetchedPage]:
        nonlocal attribution
        for path, html in known.items():
            content, mark, notice = html.rpartition(ATTRIBUTION)
            if not mark or len(notice) > MAX_NOTICE:
                content, notice = html, ""
            attribution = attribution or OWN_LINK.sub("", notice)
            yield FetchedPage(prefix + quote(path, SAFE), HTML, wrap(content, path))

    urls = store.put_all(take_pages(), progress, len(known))
    if not urls:
        raise ReportedError(
            f"{shorten_url(options.source)}: {PAGES} has no pages: use another source"
        )
    notice = remove_hidden(" ".join(unescape(TAGS.sub(" ", attribution)).split()))[:MAX_NOTICE]
    took = f"took {len(urls):,} pages of {shorten(read_field(meta, 'name') or prefix)} by DevDocs"
    version = read_field(meta, "release") or read_field(meta, "version")
    report = CrawlReport(
        prefix,
        "",
        version if VERSION.match(version) else "",
        choices=(took, *([f"attribution: {shorten(notice)}"] if notice else [])),
        license=recognise_license(attribution),
        copyright=notice,
    )
    return results.finish(report, urls, store, list(find_targets(entries, prefix)))


def get_files(options: CrawlOptions, folder: Path, started: float) -> tuple[dict[str, bytes], str]:
    names = (PAGES, INDEX, META)
    if "://" not in options.source:
        place = Path(options.source)
        paths = [place / name for name in names]
        found = {
            str(path): read_regular(path) for path in paths if path == paths[0] or path.exists()
        }
        base, prefix = f"{place}/", place.as_uri()
    else:
        base = normalize(options.source).partition("?")[0]
        base = base.removesuffix(INDEX).removesuffix(PAGES).rstrip("/") + "/"
        from hookwright_documentation.sources.site.reactor import fetch_files

        found = fetch_files(options, [base + name for name in names], folder, started)
        host = f"https://{DEVDOCS_HOST}/"
        prefix = READABLE + base.removeprefix(host) if base.startswith(host) else base
    files = {Path(path).name: body for path, body in found.items()}
    if INDEX not in files:
        raise ReportedError(f"{shorten(base)}: {INDEX} is missing: use the folder of both files")
    return files, (options.prefix or prefix).rstrip("/") + "/"


def read_object(body: bytes, name: str, source: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ReportedError(
            f"{shorten_url(source)}: {name} is not a DevDocs file: expected a JSON object"
        )
    return value


def is_path(path: str) -> bool:
    inner = path.split("/")
    return 0 < len(path) <= MAX_PATH and path.isprintable() and not {"", ".", ".."} & {*inner}


def wrap(html: str, path: str) -> bytes:
    """Return a page with its path as the title if it has no heading."""
    head = f"<html><head><title>{escape(path)}</title></head><body><main>"
    return f"{head}{html}</main></body></html>".encode("utf-8", "replace")


def find_targets(entries: object, prefix: str) -> Iterator[NamedTarget]:
    for entry in entries[:MAX_ENTRIES] if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        name, place = read_field(entry, "name"), read_field(entry, "path")
        path, _, anchor = place.partition("#")
        if name and len(name) <= MAX_NAME and name.isprintable() and is_path(path):
            fragment = f"#{clean_fragment(anchor)}" if anchor else ""
            yield NamedTarget(name, prefix + quote(path, SAFE) + fragment)


def read_field(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
