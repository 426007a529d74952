"""Let a search through whose keyword means something else, by the words that stand beside it."""

from typing import TYPE_CHECKING

from docsearch import stands_alone
from event import explain

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def drop_ambiguous(
    named: "list[tuple[int, str]]", query: str, databases: "list[dict[str, Any]]"
) -> "list[tuple[int, str]]":
    """Return the databases that keywords name, but for those that the query does not mean.

    These are those of which it has a word of `unless`, and those of which it has none of `with`.
    """
    meant = []
    for number, keyword in named:
        database = databases[number]
        about = f"{keyword!r} does not name {database['description']}"
        against = find_words(database.get("unless", ()), query)
        if against:
            explain(f"{about}: the query has {against[0]!r}")
        elif "with" in database and not find_words(database["with"], query):
            explain(f"{about}: the query has none of {database['with']}")
        else:
            meant.append((number, keyword))
    return meant


def find_words(words: "list[str]", query: str) -> "list[str]":
    """Return those of the words that occur in the query as keywords do."""
    query = query.casefold()
    return [word for word in words if stands_alone(word.casefold(), query)]
