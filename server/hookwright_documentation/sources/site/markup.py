"""Read the HTML data for a crawl: links, language, and robots rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urljoin

from lxml import etree

from hookwright_documentation.cutting.endless_tags import has_endless_tag
from hookwright_documentation.sources.urls import MAX_URL, normalize

MAX_LINKS = 5_000  # links per page
MAX_READ = 5_000_000  # parsed bytes per page; the tree takes 25 times as much
MAX_ELEMENTS = 50_000  # elements read per page
SOON = 10  # seconds within which a page redirects


@dataclass(frozen=True)
class Markup:
    """A page's metadata and links."""

    links: tuple[str, ...] = ()  # linked addresses, in order, without duplicates
    language: str = ""  # page language such as en-us, in lower case, or ""
    # Addresses of translations, by language.
    alternates: dict[str, str] = field(default_factory=dict)
    canonical: str = ""  # canonical address, or ""
    refresh: str = ""  # redirect address, or ""
    index: bool = True  # whether the page may be stored
    follow: bool = True  # whether its links may be followed


def read_markup(url: str, body: bytes, robots: str = "") -> Markup:
    root = parse(body)
    if root is None:
        return _build(url, PageElements(), robots)
    found = PageElements()
    elements = root.iter("a", "area", "base", "html", "link", "meta")
    for element in islice(elements, MAX_ELEMENTS):
        if len(found.links) >= MAX_LINKS:
            break
        found.note(str(element.tag), {str(k): str(v) for k, v in element.attrib.items()})
    return _build(url, found, robots)


@dataclass
class PageElements:
    """The page's elements, as written."""

    links: dict[str, None] = field(default_factory=dict)
    metas: list[dict[str, str]] = field(default_factory=list)
    alternates: dict[str, str] = field(default_factory=dict)
    base: str = ""
    canonical: str = ""
    language: str = ""

    def note(self, tag: str, values: dict[str, str]) -> None:
        target = values.get("href", "").strip()
        if len(target) > MAX_URL:
            return
        kinds = values.get("rel", "").lower().split() if tag == "link" else ()
        if tag in ("a", "area"):
            self.links[target.partition("#")[0]] = None
        elif tag == "meta":
            self.metas.append(values)
        elif tag == "html":
            self.language = self.language or values.get("lang", "")
        elif tag == "base":
            self.base = self.base or target
        elif "canonical" in kinds:
            self.canonical = target
        elif "alternate" in kinds and values.get("hreflang"):
            self.alternates[values["hreflang"].lower()] = target


def parse(body: bytes) -> etree._Element | None:
    """Return the root of HTML, truncated at a limit, or None if there is none."""
    text = body[:MAX_READ].decode("latin-1")
    # UTF-16 text has a zero byte with each letter.
    if has_endless_tag(text) or ("\0" in text and has_endless_tag(text.replace("\0", ""))):
        return None
    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(body[:MAX_READ], parser)
    except (etree.XMLSyntaxError, ValueError, LookupError):
        return None


def read_words(body: bytes) -> str:
    root = parse(body)
    if root is None:
        return ""
    etree.strip_elements(root, "script", "style", "noscript", "template", "head", with_tail=False)
    return " ".join(" ".join(str(text) for text in root.itertext()).split())


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
