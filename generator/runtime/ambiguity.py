"""Let a keyword count that is an ordinary word, too, if the rest of the search speaks for it."""

from typing import TYPE_CHECKING

from .matching import find_end

if TYPE_CHECKING:
    from typing import Any

# A row for each ambiguous keyword: its database, and what counts as a whole word, the surest last.
AMBIGUOUS = ""
# Pieces of words, which count wherever they stand; one with a space, where a word begins.
PIECES = ""

# --- rendered from here on ---


def is_meant(number: int, keyword: str, query: str, trace: "list[Any]") -> bool:
    """Tell whether a search means a database by a keyword, and trace the points that decide."""
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
