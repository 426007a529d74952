"""Read events about tool calls of clients whose events name tools differently from the agent."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SPOKEN: "dict[str, str]" = {}

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read; raises any exception for other bytes.

    The tool has the agent's name for it.
    """
    import json

    event = json.loads(raw.decode())
    tool = event.get("tool_name")
    event["tool_name"] = SPOKEN.get(tool, tool)
    return event
