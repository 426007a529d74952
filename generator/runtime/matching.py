"""Find the databases with keywords that occur in a search or prompt as whole words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Match = tuple[int, str, str, int]

KEYWORDS = ""
JUDGES: "tuple[Callable[..., bool], ...]" = ()
# One row per ambiguous keyword: its database, and the whole words that count, strongest last.
AMBIGUOUS = ""
# Word pieces that count anywhere; a leading space restricts a piece to the start of a word.
PIECES = ""

# --- rendered from here on ---


def match_keywords(query: str, trace: "list[Any]") -> "list[Match]":
    """Return a match for each database that the query names, as in `decide`'s `trace`."""
    query = query[:10_000].casefold()  # a longer query would take seconds
    matches = []
    for number, block in enumerate(KEYWORDS.casefold().strip().split("\n\n")):
        for word in block.split("\n"):
            end = find_end(word, query) if word in query else 0
            if end and all(judge(number, word, query, trace) for judge in JUDGES):
                spelled = KEYWORDS.strip().split("\n\n")[number].split("\n")
                matches.append((number, "named", spelled[block.split("\n").index(word)], end))
                break
    return matches


def find_end(keyword: str, query: str) -> int:
    """Return where the keyword ends in the query as a whole word, or 0 if it does not occur.

    Both texts must be case-folded.
    """
    start = -1
    while keyword and (start := query.find(keyword, start + 1)) >= 0:
        end = start + len(keyword)
        before, after = query[start - 1 : start], query[end : end + 1]
        if not extends(keyword[0], before) and not extends(keyword[-1], after):
            return end
    return 0


def extends(edge: str, neighbour: str) -> bool:
    """Return whether the character next to a keyword belongs to the same word.

    In scripts without spaces between words, it does not: "如何配置gitlab" names gitlab. By code
    point, these scripts are Thai and everything after it except accented Latin and Greek letters.
    """
    for character in (edge, neighbour):
        if "\u0e00" <= character < "\u1e00" or character >= "\u2000":
            return False
    return neighbour.isalnum() or neighbour == "_" or "\u0300" <= neighbour <= "\u036f"


# --- rendered as ambiguity ---


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
