"""Compare a documentation's pages to resolve redirects, choose titles and remove navigation."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import chain
from unicodedata import normalize
from urllib.parse import quote, unquote

from hookwright_documentation.cutting import markdown
from hookwright_documentation.cutting.inline_text import SAFE, clean_inline
from hookwright_documentation.cutting.markdown import (
    join,
    read_heading,
    strip_markup,
    write_heading,
)
from hookwright_documentation.cutting.text_files import decode
from hookwright_documentation.pages import Draft, FetchedPage, Page

FRAGMENT = re.compile(r"href\s*=\s*[\"']?([^\"'<>\s#]*)#([^\"'<>\s]+)")
HEAD = 4_096  # characters at the top of a page to search for a redirect
STUB = 4_000  # maximum bytes of a page that only redirects
CANONICAL = re.compile(
    r"<link\b(?=[^<>]*rel\s*=\s*[\"']?canonical\b)[^<>]*href\s*=\s*[\"']?([^\"'<>\s]+)",
    re.IGNORECASE,
)
SOON = 10  # maximum delay of a redirect, in seconds
TARGET = re.compile(r"(?<=\]\()[^()\s<>]+(?=\))")
PARTS = re.compile(r"( (?:[|»·—\u2013-]|::) |: | (?=\())")
MAX_TITLE = 300  # characters
MANY = 3  # pages that may share a title or part of a title by coincidence
FEW = 2  # pages that may share a text by coincidence
SHORT = 60  # characters; the words of shorter texts are also counted separately
LONG = 1_000  # characters; longer blocks are not navigation
ENDS = 6  # blocks to check after a page's title and at its end
TOP = 60  # blocks at the top of a page to search for its title
LINK = re.compile(r"\[([^\[\]\\]*(?:\\.[^\[\]\\]*)*)\]\(([^()\s<>]*)\)")
LINKS = re.compile(rf"(?:{LINK.pattern}|[^\w\[\]()])+")
SEPARATORS = re.compile(r"[\n|»\u203a>/•·→←:]+| [-\u2013—] |, ")
TIMES = re.compile(r"\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?")
MARKS = "-#*[]() "  # characters stripped from both ends of a text
MOST = 0.8  # minimum share of known links in a sidebar; the current page's entry may be expanded
WAYS = re.compile(
    r"\W*(?:image: )?(?:previous|prev|next|up|home|top|index|contents)(?: page)?\W*", re.IGNORECASE
)
WORD = re.compile(r"\w")
LIKELY = 0.98  # minimum distinct titles of the likeliest kind, as a share of the best kind's
INDEX = re.compile(r"(?<=/)index\.html?\Z")
SUFFIX = re.compile(r"(?:/index)?\.html?\Z")


@dataclass(frozen=True)
class Site:
    """The links and redirects between the pages of a documentation."""

    linked: dict[str, set[str]]  # linked fragments by page
    moved: dict[str, str]  # redirect targets by page
    written: dict[str, str]  # URLs of pages that links may spell differently

    def list_fragments(self, url: str) -> Collection[str]:
        return self.linked.get(identify(url), ())


def compare_pages(pages: Sequence[FetchedPage]) -> tuple[Site, list[FetchedPage]]:
    known = {identify(page.url): page.url for page in pages}
    moved: dict[str, str] = {}
    linked = defaultdict[str, set[str]](set)
    for page in pages:
        html = decode(page.body, page.content_type)
        own = identify(page.url)
        folder = page.url[: page.url.rfind("/") + 1]
        target = find_move(page, html[:HEAD], known)
        if target and identify(target.partition("#")[0]) != own:
            moved[own] = target
        for address, fragment in set(FRAGMENT.findall(html.replace("HREF", "href"))):
            target = identify(join(folder, unescape(address))) if address else own
            linked[target].add(markdown.clean_fragment(unescape(fragment)))
    written = {key: url for key, url in known.items() if key != INDEX.sub("", url)}
    kept = [page for page in pages if identify(page.url) not in moved]
    return Site(linked, moved, written), kept


def find_move(page: FetchedPage, head: str, known: Collection[str]) -> str:
    from w3lib.html import get_meta_refresh

    if "refresh" in head.lower():
        ignored = ("script",) if len(page.body) <= STUB else ("script", "noscript")
        delay, target = get_meta_refresh(head, page.url, ignore_tags=ignored)
        if delay is not None and target is not None:
            return target if delay <= SOON else ""
    if len(page.body) <= STUB and (link := CANONICAL.search(head)):
        target = join(page.url, unescape(link[1]))
        return target if identify(target) in known else ""
    return ""


@lru_cache(maxsize=50_000)
def identify(url: str) -> str:
    """Normalise a page address, so that all its spellings are equal."""
    plain = unquote(url) if "%" in url else url
    return INDEX.sub("", plain if plain.isascii() else normalize("NFC", plain))


def finish_pages(drafts: Sequence[Draft], site: Site) -> list[Page]:
    """Return pages with distinct titles, and with links to the pages' current addresses."""
    titles = choose_titles(drafts)
    texts = remove_repeated([draft.page.text for draft in drafts], titles)
    return [
        name_page(follow_links(replace(draft.page, text=text), site), title)
        for draft, text, title in zip(drafts, texts, titles, strict=True)
    ]


def choose_titles(drafts: Sequence[Draft]) -> list[str]:
    """Return the most distinct kind of titles, extended from the address if pages share one."""
    kinds = [strip_shared(kind) for kind in zip(*(draft.titles for draft in drafts), strict=True)]
    ranked = sorted(kinds, key=lambda kind: -len(set(kind)))
    if kinds and len(set(kinds[0])) >= LIKELY * len(set(ranked[0])):
        ranked.insert(0, kinds[0])
    ranked.append([draft.page.title for draft in drafts])
    chosen = [next(filter(None, titles)) for titles in zip(*ranked, strict=True)]
    for kind in ranked[1:]:
        count, other = Counter(chosen), Counter(kind)
        for place, title in enumerate(kind):
            if title and count[chosen[place]] > 1 and other[title] == 1 and not count[title]:
                chosen[place] = title
    alike = defaultdict[str, list[int]](list)
    for place, title in enumerate(chosen):
        alike[title].append(place)
    for title, places in alike.items():
        is_shared = len(places) > max(len(drafts) / 2, MANY)
        urls = (clean_inline(unquote(drafts[place].page.url)) for place in places)
        parts = [SUFFIX.sub("", url).split("/") for url in urls]
        count = Counter(part for own in parts for part in set(own))
        for place, own in zip(places, parts, strict=True):
            if different := "/".join(part for part in own if count[part] < len(parts)):
                chosen[place] = different if is_shared else f"{title}: {different}"
    return [title[:MAX_TITLE] for title in chosen]


def remove_repeated(texts: Sequence[str], titles: Sequence[str]) -> list[str]:
    """Remove navigation around the pages' text: blocks that pages share, and blocks of links.

    Blocks of links with labels that are common to most pages are removed everywhere on a page; a
    single link only if its target differs between pages.
    """
    layouts = []
    count, alone = Counter[str](), Counter[str]()
    targets = defaultdict[str, set[tuple[int, str]]](set)
    for number, (text, title) in enumerate(zip(texts, titles, strict=True)):
        blocks = text.rstrip("\n").split("\n\n")
        top = next((place for place, block in enumerate(blocks[:TOP]) if names(block, title)), 0)
        ends = {place: read_parts(blocks[place], title) for place in list_ends(blocks, title, top)}
        links = {
            place: found
            for place, block in enumerate(blocks)
            if LINKS.fullmatch(block) and (found := LINK.findall(block))
        }
        layouts.append((blocks, top, ends, links))
        parts = {part for block in ends.values() for part in chain(*block)}
        count.update(parts.union(*(part.split() for part in parts if len(part) <= SHORT)))
        found = list(chain(*links.values()))
        alone.update({label for label, _ in found})
        for label, target in found:
            targets[label].add((number if target.startswith("#") else -1, target))
    many = max(len(layouts) / 2, FEW)
    repeated = {part for part, number in count.items() if number > many}
    controls = {text for text, number in alone.items() if number > many}
    varied = {control for control in controls if len(targets[control]) > many}
    shortened = []
    for title, (blocks, top, ends, links) in zip(titles, layouts, strict=True):
        removed = {
            place
            for place, own in ends.items()
            if is_navigation(blocks[place], own, title, repeated)
        }
        for place, found in links.items():
            known = controls if len(found) > 1 else varied
            if place < top or known.issuperset(label for label, _ in found):
                removed.add(place)
        kept = [block for place, block in enumerate(blocks) if place not in removed]
        if len(blocks) - 1 in removed and kept and read_heading(kept[-1]) and "{#" not in kept[-1]:
            del kept[-1]  # heading of the last block, which was removed
        shortened.append("\n\n".join(kept if any(map(WORD.search, kept)) else blocks) + "\n")
    return shortened


def is_navigation(
    block: str, parts: tuple[list[str], list[str]], title: str, repeated: set[str]
) -> bool:
    """Return whether a block at the top or end of a page contains only navigation."""
    labels, texts = parts
    both = labels + texts
    is_short = len(block) <= LONG and not block.startswith("#")
    if is_short and labels and sum(map(bool, map(WAYS.fullmatch, both))) > 1:
        return True
    known = {
        part
        for part in both
        if part in repeated or part in title or repeated.issuperset(part.split())
    }
    if not known.issuperset(texts):
        return False
    if known.issuperset(labels):
        return not repeated.isdisjoint(both)
    begins = is_short and labels[0] in repeated
    return begins or sum(part in known for part in labels) >= MOST * len(labels)


def read_parts(block: str, title: str) -> tuple[list[str], list[str]]:
    """Return the labels of a block's links, without the title, and the texts between them."""
    labels = (strip_markup(label).replace(title, "") for label, _ in LINK.findall(block))
    texts = map(strip_markup, SEPARATORS.split(TIMES.sub("0", LINK.sub("\n", block))))
    own, others = (
        [part for text in kind if WORD.search(part := text.strip(MARKS))]
        for kind in (labels, texts)
    )
    return own, others


def names(block: str, title: str) -> bool:
    if block.startswith("#"):
        return title in read_heading(block)
    return len(block) <= LONG and title in block and strip_markup(block) == title


def list_ends(blocks: Sequence[str], title: str, top: int) -> set[int]:
    """Return the positions of blocks before and after a page's text that may be navigation."""
    places = set(range(top))
    last = len(blocks) - 1
    for way in (range(top, min(top + ENDS, last + 1)), range(last, max(last - ENDS, -1), -1)):
        for place in way:
            block, before = blocks[place], blocks[place - 1] if place else ""
            if "```" in block:
                break
            if block.startswith("#") or names(block, title):
                continue
            is_told = before.startswith("##") and "](" not in block  # text directly below a heading
            if not is_told and (len(block) <= LONG or LINKS.fullmatch(block)):
                places.add(place)
    return places


def follow_links(page: Page, site: Site) -> Page:
    def follow(link: re.Match[str]) -> str:
        address, _, fragment = link[0].partition("#")
        place = identify(join(page.url, unescape(address))) if address else ""
        if place in site.moved:
            return quote(site.moved[place], SAFE)
        url = site.written.get(place, "")
        return url + ("#" + fragment if fragment else "") if url else link[0]

    return replace(page, text=TARGET.sub(follow, page.text)) if site.moved or site.written else page


def strip_shared(titles: Sequence[str]) -> list[str]:
    split = [PARTS.split(title) for title in titles]
    count = Counter(part for parts in split for part in set(parts[::2]))
    least = max(len(titles) / 2, MANY)
    stripped = []
    for parts in split:
        own = [place for place in range(0, len(parts), 2) if count[parts[place]] < least]
        joined = "".join(part for place in own for part in parts[max(place - 1, 0) : place + 1])
        first = own[0] if own else 0
        stripped.append(joined[len(parts[first - 1]) if first else 0 :] if own else parts[0])
    return stripped


def name_page(page: Page, title: str) -> Page:
    first, _, rest = page.text.partition("\n\n")
    text = rest if rest and strip_markup(first) == title else page.text
    headings = (line for line in text.split("\n") if line[:1] == "#")
    if text is rest or all(read_heading(line) != title for line in headings):
        text = f"{write_heading(1, markdown.escape_text(title), [])}\n\n{text}"
    return replace(page, title=title, text=text)
