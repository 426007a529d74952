"""Read tool call events from clients that use Claude Code's fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions; raises any exception for other bytes."""
    import json

    return json.loads(raw.decode())
