"""Let a keyword count that is an ordinary word, too, if the rest of the search speaks for it."""

from typing import TYPE_CHECKING

from .docsearch import find_end

if TYPE_CHECKING:
    from typing import Any

AMBIGUOUS = "[]"
WORDS = "0"

# --- rendered from here on ---


def is_meant(number: int, keyword: str, query: str, trace: "list[Any]") -> bool:
    """Tell whether a search means a database by one of its keywords; both are case-folded.

    If the keyword is an ordinary word, too, the trace gets the words that speak for the database,
    with their points, or against it; the keyword itself is one of them.
    """
    import json

    own = json.loads(AMBIGUOUS)[number].get(keyword)
    if not own:
        return True
    points = [
        (word, int(count))
        for count, *words in own + [group.split() for group in WORDS.split("|")]
        for word in words
        if word in query and find_end(word, query)
    ]
    trace.append((number, "weighed", keyword, points))
    return sum(count for _, count in points) > 0
