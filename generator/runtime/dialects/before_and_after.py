"""Read events before and after tool calls, for clients in which warnings wait for the result."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    Decision = tuple[str, str]

CALL, AFTER = "BeforeTool", "AfterTool"

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read; raises any exception for other bytes.

    An event after a call looks like the one before it, but its call is over.
    """
    import json

    event = json.loads(raw.decode())
    event["over"] = event["hook_event_name"] == AFTER
    if event["over"]:
        event["hook_event_name"] = CALL
    return event


def skip_over(_: object, event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Return the decision, or None for a finished call, which cannot be blocked any more."""
    return ("", "") if event["over"] else decision
