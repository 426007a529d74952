"""Extract the data that a crawl needs from HTML: links, language and robots rules."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from lxml import etree

from hookwright_documentation.sources.urls import resolve

MAX_LINKS = 5_000  # links per page
MAX_READ = 5_000_000  # parsed bytes per page
MAX_ELEMENTS = 50_000  # elements read per page
READ = frozenset(("a", "area", "base", "html", "link", "meta"))
UNSEEN = ("head", "noscript", "script", "style", "template")
REFRESH = re.compile(r"\s*(?=[\d.])(\d{0,9})[.\d]*\s*;\s*url\s*=(.*)", re.IGNORECASE | re.DOTALL)
SOON = 10  # seconds; a page that refreshes within this time is a redirect


@dataclass
class Markup:
    """A page's metadata and links."""

    links: dict[str, None] = field(default_factory=dict)  # linked addresses, in order
    language: str = ""  # page language in lower case, such as en-us, or ""
    # Addresses of the page's translations, by language.
    alternates: dict[str, str] = field(default_factory=dict)
    canonical: str = ""  # canonical address, or ""
    refresh: str = ""  # address of the redirect, or ""
    index: bool = True  # whether the page may be stored
    follow: bool = True  # whether its links may be followed

    def obey(self, robots: str) -> None:
        rules = {rule.strip() for rule in robots.lower().split(",")}
        self.index &= not rules & {"noindex", "none"}
        self.follow &= not rules & {"nofollow", "none"}


class MarkupReader:
    """Collects a page's metadata and links while the parser reads it."""

    def __init__(self, url: str, markup: Markup) -> None:
        self._markup = markup
        self._url = url
        self._base = ""
        self._room = MAX_ELEMENTS

    def start(self, tag: str, values: Mapping[str, str]) -> None:
        markup = self._markup
        if tag not in READ or self._room <= 0 or len(markup.links) >= MAX_LINKS:
            return
        self._room -= 1
        kinds = values.get("rel", "").lower().split() if tag == "link" else ()
        if tag == "meta":
            self._read_meta(values)
        elif tag == "html":
            markup.language = markup.language or values.get("lang", "").strip().lower()
        elif target := self._resolve(values.get("href", "").strip().partition("#")[0]):
            if tag in ("a", "area"):
                markup.links[target] = None
            elif tag == "base":
                self._base = self._base or target
            elif "canonical" in kinds:
                markup.canonical = target
            elif "alternate" in kinds and values.get("hreflang"):
                markup.alternates[values["hreflang"].lower()] = target

    def close(self) -> None:
        """End the page; the parser requires this method."""

    def _read_meta(self, values: Mapping[str, str]) -> None:
        content = values.get("content", "")
        if values.get("name", "").lower() == "robots":
            self._markup.obey(content)
        elif values.get("http-equiv", "").lower() == "refresh":
            found = REFRESH.match(content)
            if found and int(found[1] or 0) <= SOON:
                self._markup.refresh = self._markup.refresh or self._resolve(found[2].strip(" '\""))

    def _resolve(self, target: str) -> str:
        return resolve(self._base or self._url, target)


def read_markup(url: str, body: bytes, robots: str = "") -> Markup:
    """Read a page up to a limit without building a tree, whose size the page would determine."""
    markup = Markup()
    markup.obey(robots)
    parser = etree.HTMLParser(huge_tree=True, target=MarkupReader(url, markup))  # type: ignore[arg-type]
    with suppress(etree.XMLSyntaxError, ValueError, LookupError):
        etree.fromstring(body[:MAX_READ], parser)
    return markup


def read_words(body: bytes) -> str:
    """Return a page's visible text."""
    root = None  # stays None for a page without elements
    with suppress(etree.XMLSyntaxError, ValueError, LookupError):
        parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
        root = etree.fromstring(body[:MAX_READ], parser)
    if root is None:
        return ""
    etree.strip_elements(root, *UNSEEN, with_tail=False)
    return " ".join(" ".join(map(str, root.itertext())).split())
