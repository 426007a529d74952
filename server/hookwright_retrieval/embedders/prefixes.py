"""The prefixes by which models tell queries from documents.

They come from the model cards of nomic-embed-text and E5; without them both models find less.
"""

import re
from typing import NamedTuple


class Prefixes(NamedTuple):
    """The prefix of queries and of documents."""

    query: str = ""
    document: str = ""


NOMIC = re.compile(r"nomic-embed-text", re.IGNORECASE)
E5 = re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])", re.IGNORECASE)
# Models tuned to instructions take other prefixes.
INSTRUCTED = re.compile(r"instruct", re.IGNORECASE)


def find_prefixes(model: str) -> Prefixes:
    """Return the prefixes of a model by its name; empty ones for an unknown model."""
    if NOMIC.search(model):
        return Prefixes("search_query: ", "search_document: ")
    if E5.search(model) and not INSTRUCTED.search(model):
        return Prefixes("query: ", "passage: ")
    return Prefixes()
