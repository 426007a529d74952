"""Read the page lists of a site: llms.txt, objects.inv and sitemaps."""

import re
import zlib
from html import unescape
from itertools import islice, zip_longest

from hookwright_documentation.pages import FetchedPage, NamedTarget
from hookwright_documentation.sources.urls import join, normalize

MAX_SIZE = 50_000_000  # decompressed bytes of a sitemap or inventory, as specified by sitemaps.org
MAX_LLMS = 5_000_000  # bytes to read from an llms.txt
MAX_ROBOTS = 500_000  # bytes to read from a robots.txt, the same as search engines read
MAX_LISTED = 100_000  # addresses per file, and in all sitemaps together
MAX_NAMES = 50_000  # names in an inventory
MAX_LINE = 2_000  # characters per inventory line
MIN_WHOLE = 2_000  # bytes; a site's smaller llms-full.txt is not its whole documentation
MIN_SECTIONS = 3
INVENTORY = b"# Sphinx inventory version 2"
ENTRY = re.compile(r"(.+?) [^\s:]+:\S+ [+-]?\d+ (\S+) .", re.DOTALL)
# Each pattern reads a text only once, even if it is hostile: none searches for an end that may be
# missing.
MARKDOWN_LINK = re.compile(r"\]\([ \t]*<?([^)>\s]+)")
SITEMAP = re.compile(r"^[ \t]*Sitemap:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
SITEMAP_ROOT = re.compile(r"<(?:\w+:)?(urlset|sitemapindex)\b")
LOCATION = re.compile(r"<(?:\w+:)?loc(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[\s*)?([^<>\s\]]+)")
SECTION = re.compile(r"^#{1,6} \S", re.MULTILINE)
WHOLE = "llms-full.txt"
VERSION = re.compile(r"[A-Za-z0-9.+_-]{1,40}\Z")  # too short for a sentence, because agents read it
# The start of a page in llms-full.txt, for each generator: the title, then the address.
PAGE_START = re.compile(r"^# .*\n+(?:Source|URL): <?(https?://[^\s>]+)", re.MULTILINE)


def read_objects(page: FetchedPage) -> tuple[str, list[NamedTarget]]:
    """Return the version in a Sphinx objects.inv or "", and the names with exact addresses."""
    *head, packed = page.body.split(b"\n", 4)
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, MAX_SIZE).decode("utf-8", "replace")
    except zlib.error:
        return "", []
    if unpacking.unconsumed_tail or not head or head[0].rstrip() != INVENTORY:
        return "", []
    targets = []
    for line in text.split("\n", MAX_NAMES)[:MAX_NAMES]:
        found = ENTRY.match(" ".join(line[: MAX_LINE + 1].split()))
        if found and len(line) <= MAX_LINE:
            name, uri = found.groups()
            place = uri[:-1] + name if uri.endswith("$") else uri
            address, mark, anchor = join(page.url, place).partition("#")
            if address := address if page.url.startswith("file:") else normalize(address):
                targets.append(NamedTarget(name, address + mark + anchor))
    named = re.search(rb"^# Version: (.*?)\s*$", b"\n".join(head)[:MAX_LINE], re.MULTILINE)
    version = named[1].decode("utf-8", "replace") if named else ""
    return version if VERSION.match(version) else "", targets


def read_llms(page: FetchedPage) -> list[str]:
    if looks_like_html(page.body):
        return []
    return list_addresses(page.url, MARKDOWN_LINK, page.body[:MAX_LLMS])


def read_robots(page: FetchedPage) -> list[str]:
    return list_addresses(page.url, SITEMAP, page.body[:MAX_ROBOTS])


def list_addresses(base: str, pattern: re.Pattern[str], body: bytes) -> list[str]:
    text = body.decode("utf-8", "replace")
    found = (join(base, match[1]) for match in islice(pattern.finditer(text), MAX_LISTED))
    return [address for address in dict.fromkeys(found) if address]


def is_whole(page: FetchedPage) -> bool:
    return len(page.body) >= MIN_WHOLE and has_sections(page.body)


def has_sections(body: bytes) -> bool:
    sections = SECTION.findall(body.decode("utf-8", "replace"))
    return len(sections) >= MIN_SECTIONS and not looks_like_html(body)


def split_whole(page: FetchedPage, prefix: str) -> list[FetchedPage]:
    """Split an llms-full.txt that contains its pages' addresses; other pages are unchanged."""
    if not page.url.endswith("/" + WHOLE):
        return [page]
    text = page.body.decode("utf-8", "replace")
    starts = list(PAGE_START.finditer(text))
    parts: dict[str, str] = {}
    for start, end in zip_longest(starts, starts[1:]):
        url = normalize(start[1])
        if url.startswith(prefix):
            parts.setdefault(url, text[start.start() : end.start() if end else None])
    pages = [FetchedPage(url, "text/markdown; charset=utf-8", parts[url].encode()) for url in parts]
    return sorted(pages, key=lambda page: page.url) or [page]


def read_sitemap(page: FetchedPage) -> tuple[list[str], list[str]]:
    # No XML parser is used, because a tree of many small elements takes 30 times the text's memory.
    try:
        packed = page.body.startswith(b"\x1f\x8b")
        unpack = zlib.decompressobj(wbits=31).decompress
        body = unpack(page.body, MAX_SIZE) if packed else page.body[:MAX_SIZE]
    except zlib.error:
        return [], []
    root = SITEMAP_ROOT.search(body.decode("utf-8", "replace"))
    found = [unescape(url) for url in list_addresses(page.url, LOCATION, body)]
    return ([], found) if root and root[1] == "sitemapindex" else (found, [])


def looks_like_html(body: bytes) -> bool:
    return body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
