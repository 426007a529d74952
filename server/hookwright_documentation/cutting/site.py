"""What the pages of a documentation say of each other."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import chain
from urllib.parse import quote, urljoin

from hookwright_documentation.cutting import markdown
from hookwright_documentation.cutting.inline_text import SAFE
from hookwright_documentation.cutting.markdown import strip_markup, write_heading
from hookwright_documentation.pages import Draft, FetchedPage, Page

LINK = re.compile(rb"\shref\s*=\s*[\"']?([^\"'<>\s#]*)#([^\"'<>\s]+)", re.IGNORECASE)
HEAD = 4_096  # bytes in which a page says that another one took its place
STUB = 4_000  # bytes of a page that only says where another one is
REFRESH = re.compile(rb"<meta\b[^<>]*http-equiv\s*=\s*[\"']?refresh\b[^<>]*>", re.IGNORECASE)
CONTENT = re.compile(
    rb"content\s*=\s*[\"']?\s*(\d+)[\d.]*\s*[;,]\s*url\s*=\s*[\"']?([^\"'<>\s]+)", re.IGNORECASE
)
CANONICAL = re.compile(
    rb"<link\b(?=[^<>]*rel\s*=\s*[\"']?canonical\b)[^<>]*href\s*=\s*[\"']?([^\"'<>\s]+)",
    re.IGNORECASE,
)
SOON = 10  # seconds within which a page sends on to another one
TARGET = re.compile(r"(?<=\]\()[^()\s<>]+(?=\))")
PARTS = re.compile(r"( (?:[|»·—\u2013-]|::) |: | (?=\())")
MANY = 3  # pages of a site whose titles are compared
FEW = 4  # pages that repeat nothing which counts
LONG = 1_000  # characters of a block that is more than navigation
ENDS = 6  # blocks at the top of a page, and at its end
WORD = re.compile(r"\w")
LIKELY = 0.98  # of the titles that another kind tells apart, which the likeliest ones do
INDEX = re.compile(r"(?<=/)index\.html?\Z")


@dataclass(frozen=True)
class Site:
    """What the pages of a documentation say of each other."""

    linked: dict[str, set[str]]  # the fragments that links lead to, by the page that they are of
    moved: dict[str, str]  # where the pages lead to that only send on, by their addresses

    def list_fragments(self, url: str) -> Collection[str]:
        return self.linked.get(strip_index(url), ())


def compare_pages(pages: Sequence[FetchedPage]) -> tuple[Site, list[FetchedPage]]:
    known = {strip_index(page.url) for page in pages}
    moved: dict[str, str] = {}
    for page in pages:
        if (target := find_move(page, known)) and strip_index(target) != strip_index(page.url):
            moved[strip_index(page.url)] = target
    linked = defaultdict[str, set[str]](set)
    for page in pages:
        own = strip_index(page.url)
        folder = own[: own.rfind("/") + 1]
        for address, fragment in set(LINK.findall(page.body)):
            target = resolve(folder, address) if address else own
            linked[target].add(markdown.clean_fragment(unescape(fragment.decode(errors="replace"))))
    return Site(linked, moved), [page for page in pages if strip_index(page.url) not in moved]


def find_move(page: FetchedPage, known: Collection[str]) -> str:
    head = page.body[:HEAD]
    if (meta := REFRESH.search(head)) and (content := CONTENT.search(meta[0])):
        return resolve(page.url, content[2]) if int(content[1]) <= SOON else ""
    if len(page.body) <= STUB and (link := CANONICAL.search(head)):
        target = resolve(page.url, link[1])
        return target if strip_index(target) in known else ""
    return ""


@lru_cache(maxsize=50_000)
def resolve(url: str, address: bytes) -> str:
    try:
        return strip_index(urljoin(url, unescape(address.decode(errors="replace"))))
    except ValueError:
        return ""


def strip_index(url: str) -> str:
    return INDEX.sub("", url)


def finish_pages(drafts: Sequence[Draft], moved: Mapping[str, str]) -> list[Page]:
    """Return pages with titles that tell them apart, and links past those that only send on."""
    *alike, longer = list(zip(*(draft.titles for draft in drafts), strict=True)) or [(), ()]
    kinds: list[Sequence[str]] = [strip_shared(kind) for kind in alike]
    ranked = sorted(kinds, key=lambda kind: -len(set(kind)))
    if len(set(kinds[0])) >= LIKELY * len(set(ranked[0])):
        ranked.insert(0, kinds[0])
    ranked.append([draft.page.title for draft in drafts])
    chosen = [next(filter(None, titles)) for titles in zip(*ranked, strict=True)]
    for kind in [*ranked[1:], longer]:
        count, other = Counter(chosen), Counter(kind)
        for place, title in enumerate(kind):
            if title and count[chosen[place]] > 1 and other[title] == 1 and not count[title]:
                chosen[place] = title
    texts = remove_repeated([draft.page.text for draft in drafts], chosen)
    pages = [replace(draft.page, text=text) for draft, text in zip(drafts, texts, strict=True)]
    return [
        name_page(follow_moves(page, moved), title)
        for page, title in zip(pages, chosen, strict=True)
    ]


def remove_repeated(texts: Sequence[str], titles: Sequence[str]) -> list[str]:
    """Return pages without the blocks at their top and end that most of them share."""
    pages = [text.rstrip("\n").split("\n\n") for text in texts]
    ends = [
        {place: strip_lines(blocks[place]) for place in list_ends(blocks, title)}
        for blocks, title in zip(pages, titles, strict=True)
    ]
    count = Counter(line for found in ends for line in set(chain.from_iterable(found.values())))
    repeated = {line for line, number in count.items() if number > max(len(pages) / 2, FEW)}
    shortened = []
    for blocks, found, title in zip(pages, ends, titles, strict=True):
        others = {
            place
            for place, lines in found.items()
            if not repeated.isdisjoint(lines)
            and all(line in repeated or line in title for line in lines)
        }
        kept = [block for place, block in enumerate(blocks) if place not in others]
        shortened.append("\n\n".join(kept if any(map(WORD.search, kept)) else blocks) + "\n")
    return shortened


def strip_lines(block: str) -> list[str]:
    return [strip_markup(line).lstrip("-# ").strip() for line in block.split("\n")]


def list_ends(blocks: Sequence[str], title: str) -> list[int]:
    """Return the places of the first and last blocks but code, headings and what they begin."""
    last = len(blocks) - 1
    places = []
    for ways in (range(min(ENDS, last + 1)), range(last, max(last - ENDS, -1), -1)):
        for place in ways:
            block, before = blocks[place], blocks[place - 1] if place else ""
            if "```" in block:
                break
            if len(block) > LONG or block.startswith("#") or before.startswith("## "):
                continue
            if strip_markup(block) != title:
                places.append(place)
    return places


def follow_moves(page: Page, moved: Mapping[str, str]) -> Page:
    def follow(link: re.Match[str]) -> str:
        target = resolve(page.url, link[0].partition("#")[0].encode())
        return quote(moved.get(strip_index(target), link[0]), SAFE)

    return replace(page, text=TARGET.sub(follow, page.text)) if moved else page


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
    if text is rest or all(markdown.read_heading(line) != title for line in text.split("\n")):
        text = f"{write_heading(1, markdown.escape_text(title), [])}\n\n{text}"
    return replace(page, title=title, text=text)
