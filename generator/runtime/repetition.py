"""Let a search or a call through that was denied before, when it is repeated."""

from typing import TYPE_CHECKING

from .claude.folder import find_folder
from .event import explain
from .memory import forget_expired, name_memory, recall_denial, remember_denial
from .tool_routing import SHELLS

if TYPE_CHECKING:
    from typing import Any

    from .tool_routing import Decision

RETRY_WINDOW = 300

# --- rendered as searches ---


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


# --- rendered as calls ---


def allow_repetition(
    route: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Return the decision, with a note on how to repeat the call; let a repeated call through.

    Raises OSError if the block cannot be remembered: the call would be blocked for ever.
    """
    if not route.get("once"):
        return decision
    folder = find_folder()
    forget_expired(folder, "tool_routing", RETRY_WINDOW)
    call = {"tool": event["tool_name"], **event["tool_input"]}
    if call["tool"] in SHELLS:
        call["description"] = ""  # for the user; agents reword it when they repeat a call
    memory = f"{folder}/{name_memory('tool_routing', event, call)}.json"
    if recall_denial(memory, {"route": route["name"]}, RETRY_WINDOW):
        explain(f"{route['name']}: lets the call through, for it blocked the identical one before")
        return "", ""
    remember_denial(memory, {"route": route["name"]})
    reason, context = decision
    return f"{reason}\n\nIf that falls short, repeat the identical {call['tool']} call.", context
