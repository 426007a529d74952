"""Let a keyword count that is an ordinary word, too, if the rest of the search speaks for it."""

from typing import TYPE_CHECKING

from .docsearch import find_end

if TYPE_CHECKING:
    from typing import Any

AMBIGUOUS = ""
WORDS = ""

# --- rendered from here on ---


def is_meant(number: int, keyword: str, query: str, trace: "list[Any]") -> bool:
    """Tell whether a search means a database by one of its keywords; both are case-folded.

    If the keyword is an ordinary word, too, the trace gets the words that speak for the database,
    with their points, or against it; the keyword itself is one of them.
    """
    _, _, row = AMBIGUOUS.partition(f"\n{number} {keyword}\t\t")
    if not row:
        return True
    points, meant = [], 0
    for group in (row.split("\n")[0] + WORDS).split("\t\t"):
        count, *words = group.split("\t")
        for word in words:
            if word in query and find_end(word, query):
                points.append((word, int(count)))
                meant += int(count)
    trace.append((number, "weighed", keyword, points))
    return meant > 0
