"""Answer a search from a documentation index, using the module next to the hook."""

import sys
from typing import TYPE_CHECKING

from hooks.docsearch.docsearch import LOADED
from runtime.claude.calls import LOADING, SEARCH
from runtime.matching import KEYWORDS

if TYPE_CHECKING:
    from typing import Any

    from runtime.matching import Match

# Index names by database number.
INDEXES: "dict[int, str]" = {}
ANSWER_BUDGET = 2500

# --- rendered from here on ---


def ask_indexes(
    found: "list[Match]", search: "Any", databases: "list[Any]", trace: "list[Any]"
) -> "list[Match]":
    """Return the databases that may answer the search, and add passages if an index has some.

    The module docsearch_answer, next to this file, queries the indexes; the hook also works without
    it.
    """
    settings = (INDEXES, KEYWORDS, ANSWER_BUDGET, SEARCH, "%.0s" if LOADED else LOADING)
    try:
        module = load_neighbour("docsearch_answer")
        left: list[Match] = module.ask_indexes(found, search["query"], databases, trace, settings)
    except Exception:  # noqa: BLE001 - it may be missing, or not for this Python
        return found
    return left


def load_neighbour(hook: str) -> "Any":
    """Return a script of the project from this file's folder as a module; raises any exception."""
    folder, _, name = __file__.replace("\\", "/").rpartition("/")
    sys.path.append(folder)
    return __import__(hook + name[: -len(".py")].partition("docsearch")[2])
