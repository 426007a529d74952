"""Let a search through that was denied before, when it is repeated."""

from typing import TYPE_CHECKING

from .claude.folder import find_folder
from .event import explain
from .memory import forget_expired, name_memory, recall_denial, remember_denial

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Decision

RETRY_WINDOW = 300

# --- rendered from here on ---


def allow_repeated_search(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or let the search through if the identical one was denied before.

    Raises OSError if the denial cannot be remembered: the search would be denied for ever.
    """
    search, folder = event["tool_input"], find_folder()
    forget_expired(folder, "docsearch", RETRY_WINDOW)
    memory = f"{folder}/{name_memory('docsearch', event, search)}.json"
    if recall_denial(memory, search, RETRY_WINDOW):
        explain("let through: the identical search was denied before")
        return "", ""
    remember_denial(memory, search)
    return decision
