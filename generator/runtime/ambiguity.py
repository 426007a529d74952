"""Accept a keyword that is also an ordinary word only if the rest of the search supports it."""

from typing import TYPE_CHECKING

from .matching import find_end

if TYPE_CHECKING:
    from typing import Any

# One row per ambiguous keyword: its database, and the whole words that count, strongest last.
AMBIGUOUS = ""
# Word pieces that count anywhere; a leading space restricts a piece to the start of a word.
PIECES = ""

# --- rendered from here on ---


def is_meant(number: int, keyword: str, query: str, trace: "list[Any]") -> bool:
    """Return whether a search means a database by a keyword, and add the points to the trace."""
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
