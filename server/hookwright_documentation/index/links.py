"""Collect the names that a documentation's own links and index entries give its passages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag

from hookwright_documentation.pages import NamedTarget, Passage

MAX_TEXT = 200  # characters of a link's text to use
REPEATED = 5  # maximum count of the same text for a passage


@dataclass(frozen=True)
class Link:
    """A name for a passage.

    Args:
        passage: The number of the passage.
        text: The text of a link, or the name of an index entry.
        counts: Whether it is a link, which makes the passage more popular.

    """

    passage: int
    text: str
    counts: bool


def resolve_links(passages: Sequence[Passage], inventory: Iterable[NamedTarget]) -> list[Link]:
    """Return the links and index entries that lead to a known passage."""
    places: dict[str, int] = {}
    for number, passage in enumerate(passages):
        places.setdefault(f"{passage.url}#{passage.anchor}", number)
        places.setdefault(f"{passage.url}#", number)  # the first passage of the page
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
    """Return the texts of the links to each passage, one per line."""
    times: list[dict[str, int]] = [{} for _ in range(passages)]
    for link in links:
        text = link.text.casefold()
        times[link.passage][text] = times[link.passage].get(text, 0) + 1
    return [
        "\n".join(text for text, number in each.items() for _ in range(min(number, REPEATED)))
        for each in times
    ]
