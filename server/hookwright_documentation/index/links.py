"""Collect the names by which a documentation's own links and index entries call its passages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urldefrag

from hookwright_documentation.pages import NamedTarget, Passage

MAX_TEXT = 200  # maximum number of characters used from a link's text
REPEATED = 5  # maximum number of times a link text is indexed per passage


def resolve_links(
    passages: Sequence[Passage], inventory: Iterable[NamedTarget]
) -> tuple[list[str], list[int]]:
    """Return each passage's names, one per line, and its number of links.

    Index entries are names, but do not count as links.
    """
    places: dict[str, int] = {}
    for number, passage in enumerate(passages):
        places.setdefault(f"{passage.url}#{passage.anchor}", number)
        places.setdefault(f"{passage.url}#", number)  # a page's address leads to its first passage
    for number, passage in enumerate(passages):  # anchors take precedence over aliases
        for alias in passage.aliases:
            places.setdefault(f"{passage.url}#{alias}", number)
    names, links = [Counter[str]() for _ in passages], [0] * len(passages)
    named = [(target.url, target.name, 0) for target in inventory]
    linked = [(url, text, 1) for passage in passages for url, text in passage.targets]
    for url, text, counts in [*named, *linked]:
        page, anchor = urldefrag(url)
        leads_to = places.get(f"{page}#{anchor}")
        plain = " ".join(text[:MAX_TEXT].split())
        if leads_to is not None and plain:
            names[leads_to][plain.casefold()] += 1
            links[leads_to] += counts
    repeated = (
        [name for name, times in each.items() for _ in range(min(times, REPEATED))]
        for each in names
    )
    return ["\n".join(each) for each in repeated], links
