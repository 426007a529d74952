"""Let a search through if its keyword means something else, by the words beside the keyword."""

from typing import TYPE_CHECKING

from .docsearch import find_end

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Match

# --- rendered from here on ---


def drop_ambiguous(
    found: "list[Match]",
    search: "dict[str, Any]",
    databases: "list[dict[str, Any]]",
    trace: "list[Any]",
) -> "list[Match]":
    """Return the databases that the query means, of those that its keywords name.

    It does not mean a database if it has a word of `unless`, or no word of `with`.
    """
    meant = []
    query = search["query"]
    for match in found:
        number, _, keyword, _ = match
        database = databases[number]
        against = find_words(database.get("unless", ()), query)
        if against:
            trace.append((number, "unless", keyword, against[:1]))
        elif "with" in database and not find_words(database["with"], query):
            trace.append((number, "with", keyword, database["with"]))
        else:
            meant.append(match)
    return meant


def find_words(words: "list[str]", query: str) -> "list[str]":
    """Return the words that occur in the query as keywords do."""
    query = query.casefold()
    return [word for word in words if find_end(word.casefold(), query)]
