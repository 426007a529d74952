"""Read events about tool calls of clients whose fields are those of Claude Code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read; raise any exception for other bytes."""
    import json

    return json.loads(raw.decode())
