"""Pass over a route while it is disabled, so that later routes decide."""

from typing import TYPE_CHECKING

from .disabled import is_disabled

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

# --- rendered from here on ---


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
