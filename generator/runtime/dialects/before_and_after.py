"""Read events before and after tool calls, for clients that deliver warnings with a result."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    Decision = tuple[str, str]

CALL, AFTER = "BeforeTool", "AfterTool"

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions; raises any exception for other bytes.

    An event after a call has the same fields as the event before it, but the call is finished.
    """
    import json

    event = json.loads(raw.decode())
    event["over"] = event["hook_event_name"] == AFTER
    if event["over"]:
        event["hook_event_name"] = CALL
    return event


def skip_over(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or None for a finished call, which can no longer be blocked."""
    return ("", "") if event["over"] else decision
