"""Collect the names by which a documentation's own links and index entries call its passages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urldefrag

from hookwright_documentation.pages import NamedTarget, Passage

MAX_TEXT = 200  # maximum number of characters used from a link's text
REPEATED = 5  # maximum number of times a link text is indexed per passage


class Link(NamedTuple):
    """A name for a passage."""

    passage: int
    text: str
    counts: bool  # whether it is a link, which increases popularity, rather than an index entry


def resolve_links(passages: Sequence[Passage], inventory: Iterable[NamedTarget]) -> list[Link]:
    """Return the links and index entries that point to a known passage."""
    places: dict[str, int] = {}
    for number, passage in enumerate(passages):
        places.setdefault(f"{passage.url}#{passage.anchor}", number)
        places.setdefault(f"{passage.url}#", number)  # a page's address leads to its first passage
    for number, passage in enumerate(passages):  # anchors take precedence over aliases
        for alias in passage.aliases:
            places.setdefault(f"{passage.url}#{alias}", number)
    named = [(target.url, target.name, False) for target in inventory]
    linked = [(url, text, True) for passage in passages for url, text in passage.targets]
    links = []
    for url, text, counts in [*named, *linked]:
        page, anchor = urldefrag(url)
        leads_to = places.get(f"{page}#{anchor}")
        plain = " ".join(text[:MAX_TEXT].split())
        if leads_to is not None and plain:
            links.append(Link(leads_to, plain, counts))
    return links


def gather_texts(links: Iterable[Link], passages: int) -> list[str]:
    """Return the texts of all links to each passage, one per line."""
    texts = [Counter[str]() for _ in range(passages)]
    for link in links:
        texts[link.passage][link.text.casefold()] += 1
    return [
        "\n".join(text for text, times in each.items() for _ in range(min(times, REPEATED)))
        for each in texts
    ]
