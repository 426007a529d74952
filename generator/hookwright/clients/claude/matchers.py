"""Parse a matcher like the client does: as a list of tools, or as a regular expression."""

import re

LIST = re.compile(r"[\w\- ,|]*", re.ASCII)  # anything else is a regular expression
SEPARATOR = re.compile(r"(?<!\s)\s*[|,]\s*")
BEFORE_CALL = "PreToolUse"

SEARCH = "WebSearch"


def split_matcher(matcher: str) -> list[str] | None:
    """Return the tools that a matcher lists, or None for a regular expression."""
    return SEPARATOR.split(matcher) if LIST.fullmatch(matcher) else None


def covers(matcher: str, tool: str) -> bool:
    """Return whether a matcher in the settings covers a tool."""
    if matcher in {"", "*"}:
        return True
    tools = split_matcher(matcher)
    if tools is not None:
        return tool in tools
    try:
        return re.search(matcher, tool) is not None
    except re.error:
        return False
