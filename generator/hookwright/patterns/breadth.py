"""Find routes that match almost anything, which nobody wants from a shared route."""

import re
import warnings
from collections.abc import Mapping
from typing import Any

from hookwright.project.hook_tables import TOOL
from hookwright_console.text import make_printable

TOOLS = ("Read", "Bash", "WebFetch", "Task", "mcp__a__b")
# Calls with nothing in common: a pattern that matches half of one kind matches almost anything.
CALLS = (
    ("",),
    (
        "https://example.com/",
        "https://github.com/a/b/pull/1",
        "https://www.nytimes.com/section/world?page=2",
        "https://docs.python.org/3/library/re.html#flags",
        "https://go.dev/doc",
        "http://localhost:8000/a_b",
    ),
    (
        "ls -la",
        "git status",
        "curl -s https://example.com/x.json",
        "python3 -m pytest tests",
        "npm install",
        "cat README.md | head",
    ),
)


def list_broad(routes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a warning for each route that matches almost anything.

    Args:
        routes: The answers; their patterns do not backtrack without end.

    """
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other checks report them
        for name, route in routes.items():
            shown = make_printable(f"routes.{name}")
            every = is_for_all(str(route.get("tool") or TOOL))
            tool = "every tool" if every else make_printable(str(route.get("tool") or TOOL))
            if route.get("action") == "allow" and matches_most(route):
                lines.append(
                    f"{shown} allows almost any call of {tool} before other routes are tried: "
                    "they may never block anything"
                )
            elif every:
                lines.append(f"{shown} matches every tool: name the ones you mean")
    return lines


def is_for_all(tool: str) -> bool:
    return all(finds(tool, one, whole=True) for one in TOOLS)


def matches_most(route: Mapping[str, Any]) -> bool:
    pattern, contained = str(route.get("pattern", "")), str(route.get("contains") or "").lower()
    for calls in CALLS:
        found = [one for one in calls if contained in one.lower() and finds(pattern, one)]
        if len(found) * 2 >= len(calls):
            return True
    return False


def finds(pattern: str, text: str, *, whole: bool = False) -> bool:
    """Return whether a pattern matches a text; an invalid one matches nothing."""
    try:
        match = re.fullmatch(pattern, text) if whole else re.search(pattern, text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return False
    return match is not None
