"""Extract the data that a crawl needs from HTML: links, language and robots rules."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urljoin

from lxml import etree

from hookwright_documentation.sources.urls import MAX_URL, normalize

MAX_LINKS = 5_000  # links per page
MAX_READ = 5_000_000  # parsed bytes per page
MAX_ELEMENTS = 50_000  # elements read per page
READ = frozenset(("a", "area", "base", "html", "link", "meta"))
UNSEEN = frozenset(("head", "noscript", "script", "style", "template"))
SOON = 10  # seconds; a page that refreshes within this time is a redirect


@dataclass(frozen=True)
class Markup:
    """A page's metadata and links."""

    links: tuple[str, ...] = ()  # linked addresses, in order, without duplicates
    language: str = ""  # page language in lower case, such as en-us, or ""
    # Addresses of the page's translations, by language.
    alternates: dict[str, str] = field(default_factory=dict)
    canonical: str = ""  # canonical address, or ""
    refresh: str = ""  # address of the redirect, or ""
    index: bool = True  # whether the page may be stored
    follow: bool = True  # whether its links may be followed


def read_markup(url: str, body: bytes, robots: str = "") -> Markup:
    found = PageElements()
    parse(body, found)
    return _build(url, found, robots)


@dataclass
class PageElements:
    """Collects the page's elements as the parser reads them."""

    room: int = MAX_ELEMENTS
    links: dict[str, None] = field(default_factory=dict)
    metas: list[dict[str, str]] = field(default_factory=list)
    alternates: dict[str, str] = field(default_factory=dict)
    base: str = ""
    canonical: str = ""
    language: str = ""

    def start(self, tag: str, values: Mapping[str, str]) -> None:
        if tag not in READ or self.room <= 0 or len(self.links) >= MAX_LINKS:
            return
        self.room -= 1
        target = values.get("href", "").strip()
        if len(target) > MAX_URL:
            return
        kinds = values.get("rel", "").lower().split() if tag == "link" else ()
        if tag in ("a", "area"):
            self.links[target.partition("#")[0]] = None
        elif tag == "meta":
            self.metas.append(dict(values))
        elif tag == "html":
            self.language = self.language or values.get("lang", "")
        elif tag == "base":
            self.base = self.base or target
        elif "canonical" in kinds:
            self.canonical = target
        elif "alternate" in kinds and values.get("hreflang"):
            self.alternates[values["hreflang"].lower()] = target

    def close(self) -> None:
        """End the page; the parser requires this method."""


@dataclass
class PageWords:
    """Collects the page's visible text as the parser reads it."""

    parts: list[str] = field(default_factory=list)
    unseen: int = 0  # number of enclosing elements that hide the current text

    def start(self, tag: str, _: Mapping[str, str]) -> None:
        self.unseen += tag in UNSEEN

    def end(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN

    def data(self, text: str) -> None:
        if not self.unseen:
            self.parts.append(text)

    def close(self) -> None:
        """End the page; the parser requires this method."""


def parse(body: bytes, target: PageElements | PageWords) -> None:
    """Parse HTML up to a limit without building a tree, whose size the page would determine."""
    parser = etree.HTMLParser(huge_tree=True, target=target)  # type: ignore[arg-type]
    with suppress(etree.XMLSyntaxError, ValueError, LookupError):
        etree.fromstring(body[:MAX_READ], parser)


def read_words(body: bytes) -> str:
    words = PageWords()
    parse(body, words)
    return " ".join(" ".join(words.parts).split())


def _build(url: str, found: PageElements, robots: str) -> Markup:
    base = _join(url, found.base) or url
    rules = [robots, *_select(found.metas, "name", "robots")]
    words = {word.strip() for rule in rules for word in rule.lower().split(",")}
    links = dict.fromkeys(_join(base, target) for target in found.links)
    return Markup(
        links=tuple(link for link in links if link),
        language=found.language.strip().lower(),
        alternates={language: _join(base, target) for language, target in found.alternates.items()},
        canonical=_join(base, found.canonical),
        refresh=_read_refresh(base, next(_select(found.metas, "http-equiv", "refresh"), "")),
        index=not words & {"noindex", "none"},
        follow=not words & {"nofollow", "none"},
    )


def _select(metas: list[dict[str, str]], key: str, value: str) -> Iterator[str]:
    return (meta.get("content", "") for meta in metas if meta.get(key, "").lower() == value)


def _read_refresh(base: str, content: str) -> str:
    seconds, _, rest = content.partition(";")
    name, _, target = rest.partition("=")
    try:
        soon = float(seconds) <= SOON
    except ValueError:
        return ""
    return _join(base, target.strip(" '\"")) if soon and name.strip().lower() == "url" else ""


def _join(base: str, target: str) -> str:
    if not target:
        return ""
    try:
        return normalize(urljoin(base, target))
    except ValueError:
        return ""
