"""Let a search through that was denied before, when it is repeated."""

from typing import TYPE_CHECKING

from claude.folder import find_folder
from event import explain
from memory import forget_expired, name_memory, recall_denial, remember_denial

if TYPE_CHECKING:
    from typing import Any

    from steps import Decision

RETRY_WINDOW = 300

# --- rendered from here on ---


def identify_search(event: "dict[str, Any]") -> "dict[str, Any]":
    """Return what two identical searches have in common: the query, and the domains as sets."""
    search = {"query": event["tool_input"]["query"]}
    for domains in ("allowed_domains", "blocked_domains"):
        search[domains] = sorted(set(event["tool_input"].get(domains) or ()))
    return search


def forget_searches() -> str:
    """Remove the denials that expired; return the folder they are remembered in."""
    folder = find_folder()
    forget_expired(folder, "docsearch", RETRY_WINDOW)
    return folder


def allow_repeated_search(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or let the search through if the identical one was denied before.

    Raises OSError if the denial cannot be remembered: the search would be denied for ever.
    """
    search = identify_search(event)
    memory = f"{forget_searches()}/{name_memory('docsearch', event, search)}.json"
    if recall_denial(memory, search, RETRY_WINDOW):
        explain("let through: the identical search was denied before")
        return "", ""
    remember_denial(memory, search)
    return decision
