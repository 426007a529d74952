"""Read events about tool calls of clients whose events name tools as the agent does not."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SPOKEN: "dict[str, str]" = {}

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read; raise any exception for other bytes.

    The tool has the agent's own name for it.
    """
    import json

    event = json.loads(raw.decode())
    tool = event.get("tool_name")
    event["tool_name"] = SPOKEN.get(tool, tool)
    return event
