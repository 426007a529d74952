"""Read events about tool calls of clients with Claude Code's fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read; raises any exception for other bytes."""
    import json

    return json.loads(raw.decode())
