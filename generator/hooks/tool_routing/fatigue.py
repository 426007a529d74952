"""Allow calls after a route has blocked a certain number of them in a session."""

from typing import TYPE_CHECKING

from runtime.claude.folder import find_memory_folder
from runtime.memory import forget_expired, name_memory
from runtime.record import append_line

if TYPE_CHECKING:
    from typing import Any

    from hooks.tool_routing.tool_routing import Decision

FATIGUE_LIMIT = 1

# --- rendered from here on ---


def limit_blocks(
    route: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Return the decision, or only a note once the route has reached the session's block limit.

    Each block adds a byte to a file for the session and route. Raises OSError if the block cannot
    be counted, because calls would otherwise be blocked forever.
    """
    name, folder = route["name"], find_memory_folder()
    forget_expired(folder, "tool_routing-blocks", 86400, "")  # a session may last a day
    session = {"session_id": event.get("session_id")}
    counter = f"{folder}/{name_memory('tool_routing-blocks', session, {'route': name})}"
    if append_line(counter, b".") <= FATIGUE_LIMIT:
        return decision
    return "", f"Let through: {name} has blocked {FATIGUE_LIMIT} calls in this session."
