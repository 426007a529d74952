"""Let a call through while the record that would deny it is disabled until a time."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

    from .docsearch import Match

# --- rendered as records ---


def is_disabled(record: "dict[str, Any]") -> bool:
    """Tell whether a record is disabled until a time that is still to come.

    Both times are in UTC and written alike, so they compare as texts. If the clock is set back, or
    beyond the year 9999, the record stays disabled: calls go through.
    """
    if "disabled" not in record:
        return False
    import time

    now, until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), record["disabled"]
    return now < until or len(now) > len(until)


# --- rendered as databases ---


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


# --- rendered as routes ---


def pass_over_disabled(
    match_route: "Callable[..., tuple[str, str, re.Match[str] | None]]",
) -> "Callable[..., tuple[str, str, re.Match[str] | None]]":
    """Return what matches a route as `match_route` does, unless the route is disabled."""

    def match_enabled(
        route: "dict[str, Any]", tool: str, tool_input: "dict[str, Any]"
    ) -> "tuple[str, str, re.Match[str] | None]":
        outcome, text, match = match_route(route, tool, tool_input)
        if match and is_disabled(route):
            return "disabled", route["disabled"], None
        return outcome, text, match

    return match_enabled
