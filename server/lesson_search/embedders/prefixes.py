"""What models want before a text, to know whether it is to be found or to find others by.

As their makers' model cards have it: nomic-embed-text's and E5's. Without them both lose points.
"""

import re
from typing import NamedTuple


class Prefixes(NamedTuple):
    """What stands before a query, and before a document."""

    query: str = ""
    document: str = ""


NOMIC = re.compile(r"nomic-embed-text", re.IGNORECASE)
E5 = re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])", re.IGNORECASE)
# The large ones that were tuned to instructions want those instead.
INSTRUCTED = re.compile(r"instruct", re.IGNORECASE)


def find_prefixes(model: str) -> Prefixes:
    """Return the prefixes of a model by its name; empty ones where it is not known to have any."""
    if NOMIC.search(model):
        return Prefixes("search_query: ", "search_document: ")
    if E5.search(model) and not INSTRUCTED.search(model):
        return Prefixes("query: ", "passage: ")
    return Prefixes()
