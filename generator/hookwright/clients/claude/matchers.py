"""Read a matcher as the client does: a list of tools, or a regular expression."""

import re

LIST = re.compile(r"[\w\- ,|]*", re.ASCII)  # anything else is an expression
SEPARATOR = re.compile(r"(?<!\s)\s*[|,]\s*")
BEFORE_CALL = "PreToolUse"

SEARCH = "WebSearch"


def split_matcher(matcher: str) -> list[str] | None:
    """Return the tools that a matcher lists, or None where it is a regular expression."""
    return SEPARATOR.split(matcher) if LIST.fullmatch(matcher) else None


def covers(matcher: str, tool: str) -> bool:
    """Return whether a matcher, as the settings have it, covers a tool."""
    if matcher in {"", "*"}:
        return True
    tools = split_matcher(matcher)
    if tools is not None:
        return tool in tools
    try:
        return re.search(matcher, tool) is not None
    except re.error:
        return False
