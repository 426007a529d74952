"""Read the files in which a site lists its pages: llms.txt, objects.inv and sitemaps."""

import re
import zlib
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import urljoin

from hookwright_documentation.crawl.urls import normalize
from hookwright_documentation.pages import FetchedPage, NamedTarget

MAX_SIZE = 50_000_000  # bytes of a sitemap or inventory, decompressed
MIN_WHOLE = 2_000  # bytes of an llms-full.txt that can be a documentation
MIN_SECTIONS = 3
MARKDOWN_LINK = re.compile(r"\[[^\]\n]*\]\(\s*<?([^)>\s]+)")
SECTION = re.compile(r"^#{1,6} \S", re.MULTILINE)
WHOLE = "llms-full.txt"
VERSION = re.compile(r"[A-Za-z0-9.+_-]{1,40}\Z")  # an agent reads it: no room for a sentence
# How generators begin a page in llms-full.txt: its title, then where it is.
PAGE_START = re.compile(r"^# .*\n+(?:Source|URL): <?(https?://[^\s>]+)", re.MULTILINE)


@dataclass(frozen=True)
class Objects:
    """What Sphinx's objects.inv lists.

    Args:
        version: The version of what is documented, or "".
        pages: The addresses of the pages.
        targets: The names, with their exact addresses.

    """

    version: str
    pages: tuple[str, ...]
    targets: list[NamedTarget]


NO_OBJECTS = Objects("", (), [])


def read_objects(page: FetchedPage) -> Objects:
    """Return what an objects.inv lists, without any where it is not one."""
    sphobjinv: Any = import_module("sphobjinv")  # which has no types
    try:
        inventory = sphobjinv.Inventory(zlib=inflate_inventory(page.body))
    except (
        sphobjinv.SphobjinvError,
        zlib.error,
        ValueError,
        TypeError,
        AttributeError,
        LookupError,
    ):
        return NO_OBJECTS
    targets, pages = [], set()
    for one in inventory.objects:
        address, mark, anchor = urljoin(page.url, one.uri_expanded).partition("#")
        address = address if page.url.startswith("file:") else normalize(address)
        if address:
            pages.add(address)
            targets.append(NamedTarget(one.name, address + mark + anchor))
    version = str(inventory.version or "").strip()
    return Objects(version if VERSION.match(version) else "", tuple(sorted(pages)), targets)


def read_llms(page: FetchedPage) -> list[str]:
    """Return the addresses that an llms.txt links to."""
    if looks_like_html(page.body):
        return []
    text = page.body.decode("utf-8", "replace")
    return [urljoin(page.url, link) for link in MARKDOWN_LINK.findall(text)]


def is_whole(page: FetchedPage) -> bool:
    """Return whether an llms-full.txt holds a documentation."""
    if len(page.body) < MIN_WHOLE or looks_like_html(page.body):
        return False
    return len(SECTION.findall(page.body.decode("utf-8", "replace"))) >= MIN_SECTIONS


def split_whole(page: FetchedPage, prefix: str) -> list[FetchedPage]:
    """Return the pages of an llms-full.txt that says where they are; any other page as it is."""
    if not page.url.endswith("/" + WHOLE):
        return [page]
    text = page.body.decode("utf-8", "replace")
    starts = list(PAGE_START.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)][: len(starts)]
    parts: dict[str, str] = {}
    for start, end in zip(starts, ends, strict=True):
        url = normalize(start[1])
        if url.startswith(prefix):
            parts.setdefault(url, text[start.start() : end])
    pages = [FetchedPage(url, "text/markdown; charset=utf-8", parts[url].encode()) for url in parts]
    return sorted(pages, key=lambda page: page.url) or [page]


def read_sitemap(page: FetchedPage) -> tuple[list[str], list[str]]:
    """Return the addresses of pages, and of further sitemaps, that a sitemap lists."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(inflate(page.body), parser)
    except (etree.XMLSyntaxError, ValueError, zlib.error):
        return [], []
    if root is None:
        return [], []
    found = [str(one.text).strip() for one in root.iter("{*}loc") if one.text]
    found = [urljoin(page.url, url) for url in found]
    is_index = etree.QName(root).localname == "sitemapindex"
    return ([], found) if is_index else (found, [])


def inflate(body: bytes) -> bytes:
    """Return bytes decompressed if gzip made them, cut at a size; raises zlib.error."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    return zlib.decompressobj(wbits=31).decompress(body, MAX_SIZE)


def inflate_inventory(body: bytes) -> bytes:
    """Return an inventory if it decompresses to no more than it may; raises ValueError."""
    lines = body.split(b"\n", 4)
    unpacked = zlib.decompressobj()
    unpacked.decompress(lines[-1], MAX_SIZE)
    if unpacked.unconsumed_tail:
        raise ValueError("too large")
    return body


def looks_like_html(body: bytes) -> bool:
    """Return whether bytes begin as HTML or XML does."""
    return body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
