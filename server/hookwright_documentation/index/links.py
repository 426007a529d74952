"""What a documentation's own links and index entries call its passages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag

import numpy as np

from hookwright_documentation.index.terms import list_terms
from hookwright_documentation.pages import NamedTarget, Passage
from hookwright_retrieval.arrays import Scores
from hookwright_retrieval.bm25 import Postings, count_terms

MAX_TEXT = 200  # characters of a link's text that count
REPEATED = 5  # how often the same text counts for a passage


@dataclass(frozen=True)
class Link:
    """A name for a passage.

    Args:
        passage: The number of the passage.
        text: The text of a link, or the name of an index entry.
        counts: Whether it is a link, which shows that others find the passage worth reading.

    """

    passage: int
    text: str
    counts: bool


def resolve_links(passages: Sequence[Passage], inventory: Iterable[NamedTarget]) -> list[Link]:
    """Return the links and index entries that lead to a passage; others lead elsewhere."""
    places: dict[str, int] = {}
    for number, passage in enumerate(passages):
        places.setdefault(f"{passage.url}#{passage.anchor}", number)
        places.setdefault(f"{passage.url}#", number)  # the first of the page
    for number, passage in enumerate(passages):  # an anchor counts before the alias of another
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


def count_link_terms(links: Iterable[Link], passages: int) -> Postings:
    """Return the terms of the links to each passage."""
    texts = [Counter[str]() for _ in range(passages)]
    for link in links:
        texts[link.passage][link.text.casefold()] += 1
    return count_terms(
        [term for text, times in each.items() for term in list_terms(text) * min(times, REPEATED)]
        for each in texts
    )


def measure_popularity(links: Iterable[Link], passages: int) -> Scores:
    """Return the logarithm of 1 + the number of links to each passage, of shape (passages,)."""
    linked = [link.passage for link in links if link.counts]
    counts = np.bincount(np.array(linked, np.int64), minlength=passages)
    return np.log1p(counts).astype(np.float32)
