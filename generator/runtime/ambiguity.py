"""Let a search through if its keyword means something else, by the other words of the search."""

from typing import TYPE_CHECKING

from .docsearch import KEYWORDS, find_end

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Match

AMBIGUOUS = "{}"
WORDS = ""
POINTS = (-3, -2, -1, 1, 2, 3)
OWN_POINTS = 4

# --- rendered from here on ---


def drop_ambiguous(
    found: "list[Match]",
    search: "dict[str, Any]",
    databases: "list[dict[str, Any]]",
    trace: "list[Any]",
) -> "list[Match]":
    """Return the databases that the query means, of those that its keywords name.

    Where the first keyword that is found means something else, another one may still count.
    """
    import json

    known = json.loads(AMBIGUOUS)
    folded, meant = search["query"].casefold(), []
    for number, _, first, _ in found:
        block = KEYWORDS.strip().split("\n\n")[number].split("\n")
        ambiguous = [word for word in block if word.casefold() in known] or block
        for keyword in block[block.index(first) :]:
            at = find_end(keyword.casefold(), folded)
            if not at:
                continue
            if keyword in ambiguous:
                outcome, why = judge(keyword.casefold(), databases[number], folded, known)
                if why:
                    trace.append((number, outcome, keyword, why))
                if outcome != "meant":
                    continue
            meant.append((number, "named", keyword, at))
            break
    return meant


def judge(
    name: str, database: "dict[str, Any]", folded: str, known: "dict[str, Any]"
) -> "tuple[str, list[Any]]":
    """Return what the query means by a name that is an ordinary word, too, and why.

    It is another thing beside a word of `unless`, or beside none of `with`. Where there is no
    `with`, the other words of the query decide.
    """
    if against := find_words(database.get("unless", ()), folded):
        return "unless", against[:1]
    if "with" in database and not find_words(database["with"], folded):
        return "with", database["with"]
    if "with" in database or name not in known or database.get("ambiguous") is False:
        return "meant", []
    points = weigh_words(name, folded, *known[name])
    return "meant" if sum(count for _, count in points) > 0 else "other", points


def weigh_words(
    name: str, folded: str, prior: int, for_it: "list[str]", against: "list[str]"
) -> "list[list[Any]]":
    """Return the words that speak for a technology, with their points, or against it, below 0.

    The first one is the technology's name, with what is known before the search is.
    """
    words = "".join(sign if sign.isalnum() or sign in "+#" else " " for sign in folded).split()
    text = " " + " ".join(words) + " "
    points: list[list[Any]] = [[name, prior]]
    for phrases, count in ((for_it, OWN_POINTS), (against, -OWN_POINTS)):
        points += [[phrase, count] for phrase in phrases if " " + phrase + " " in text]
    for word in sorted({*words} - {name}):
        place = WORDS.find(" " + word + " ")
        if place < 0 and word.endswith("s"):
            place = WORDS.find(" " + word[:-1] + " ")
        if place >= 0:
            points.append([word, POINTS[WORDS.count("|", 0, place)]])
    return points


def find_words(words: "list[str]", folded: str) -> "list[str]":
    """Return the words that occur in the case-folded query as keywords do."""
    return [word for word in words if find_end(word.casefold(), folded)]
