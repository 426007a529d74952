"""Let a search through to the web while its database is disabled."""

from typing import TYPE_CHECKING

from .disabled import is_disabled

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Match

# --- rendered from here on ---


def drop_disabled(
    found: "list[Match]",
    _: object,
    databases: "list[dict[str, Any]]",
    trace: "list[Any]",
) -> "list[Match]":
    """Return the databases that are not disabled, of those that a search names."""
    kept = []
    for match in found:
        database = databases[match[0]]
        if is_disabled(database):
            trace.append((match[0], "disabled", match[2], [database["disabled"]]))
        else:
            kept.append(match)
    return kept
