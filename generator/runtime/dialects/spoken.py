"""Read tool call events from clients whose events use other tool names than their agent."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SPOKEN: "dict[str, str]" = {}

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions; raises any exception for other bytes.

    The event contains the tool name that the agent uses.
    """
    import json

    event = json.loads(raw.decode())
    tool = event.get("tool_name")
    event["tool_name"] = SPOKEN.get(tool, tool)
    return event
