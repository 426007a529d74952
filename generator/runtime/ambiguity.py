"""Count a keyword that is also an ordinary word if the rest of the search supports it."""

from typing import TYPE_CHECKING

from .matching import find_end

if TYPE_CHECKING:
    from typing import Any

# One row per ambiguous keyword: its database, and whole words that count, strongest last.
AMBIGUOUS = ""
# Word pieces that count anywhere; with a leading space, only at the start of a word.
PIECES = ""

# --- rendered from here on ---


def is_meant(number: int, keyword: str, query: str, trace: "list[Any]") -> bool:
    """Return whether a search means a database by a keyword, and trace the deciding points."""
    for row in AMBIGUOUS.split(f"\n{number} {keyword}\t\t")[1:]:
        points, query = {}, "^ " + query
        for group in (PIECES + row.split("\n")[0]).split("\t\t"):
            count, *words = group.split("\t")
            for word in words:
                if word in query and (group in PIECES or find_end(word, query)):
                    points[word] = int(count)
        trace.append((number, "weighed", keyword, points))
        return sum(points.values()) > 0
    return True
