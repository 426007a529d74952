"""Let a search through if its keyword means something else, by the words beside the keyword."""

from typing import TYPE_CHECKING

from docsearch import find_end
from event import explain

if TYPE_CHECKING:
    from typing import Any

    from docsearch import Trace

# --- rendered from here on ---


def drop_ambiguous(
    named: "list[tuple[int, str]]", query: str, databases: "list[dict[str, Any]]", trace: "Trace"
) -> "list[tuple[int, str]]":
    """Return the databases that the query means, of those that its keywords name.

    It does not mean a database if it has a word of `unless`, or no word of `with`.
    """
    meant = []
    for number, keyword in named:
        database = databases[number]
        about = f"{keyword!r} does not name {database['description']}"
        against = find_words(database.get("unless", ()), query)
        if against:
            trace.append((number, "unless", keyword, against[:1]))
            explain(f"{about}: the query has {against[0]!r}")
        elif "with" in database and not find_words(database["with"], query):
            trace.append((number, "with", keyword, database["with"]))
            explain(f"{about}: the query has none of {database['with']}")
        else:
            meant.append((number, keyword))
    return meant


def find_words(words: "list[str]", query: str) -> "list[str]":
    """Return the words that occur in the query as keywords do."""
    query = query.casefold()
    return [word for word in words if find_end(word.casefold(), query)]
