"""Warn about valid routes that probably do not do what their author intended."""

import re
import warnings
from collections.abc import Mapping
from typing import Any

from hookwright.patterns.check import TOOL
from hookwright_console.text import make_printable, shorten

Routes = Mapping[str, Mapping[str, Any]]
# Other notations of a placeholder, which count only if the word is a group.
ODD = re.compile(
    r"\$\{(\w+)\}|\{\{\s*(\w+)\s*\}\}|\{(?: +(\w+) *|(\w+) +)\}|\{(\w+)[!:][^{}]*\}"
    r"|\$(\w+)|<(\w+)>"
)
TOOLS = ("Read", "Bash", "WebFetch", "Task", "mcp__a__b")
URLS = (
    "https://example.com/",
    "https://github.com/a/b/pull/1",
    "https://www.nytimes.com/section/world?page=2",
    "https://docs.python.org/3/library/re.html#flags",
    "https://go.dev/doc",
    "http://localhost:8000/a_b",
)
# Calls with nothing in common: a pattern that matches half of one kind matches almost anything.
CALLS = (
    ("",),
    URLS,
    (
        "ls -la",
        "git status",
        "curl -s https://example.com/x.json",
        "python3 -m pytest tests",
        "npm install",
        "cat README.md | head",
    ),
)


def list_doubts(routes: Routes) -> list[str]:
    """Return a warning for each probable mistake in routes, regardless of their order."""
    return [*list_broad(routes), *list_misspelled(routes)]


def list_misspelled(routes: Routes) -> list[str]:
    """Return a warning for each placeholder in a message that is not written {word}."""
    lines = []
    for name, route in routes.items():
        groups = list_groups(str(route.get("pattern", "")))
        found = ODD.finditer(str(route.get("message", "")))
        words = {odd[0]: "".join(filter(None, odd.groups())) for odd in found}
        lines += [
            make_printable(f"routes.{name}: message has {shorten(text)}, which is not filled in: ")
            + f"write {{{word}}} for the group of the pattern"
            for text, word in words.items()
            if word in groups
        ]
    return lines


def list_groups(pattern: str) -> list[str]:
    """Return the names of a pattern's groups, or none for an invalid pattern."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # reported by other checks
            return list(re.compile(pattern).groupindex)
    except (re.error, OverflowError, RecursionError, ValueError):
        return []


def list_broad(routes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a warning for each route that matches almost anything; patterns must terminate."""
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reported by other checks
        for name, route in routes.items():
            shown = make_printable(f"routes.{name}")
            pattern, tool = str(route.get("pattern", "")), str(route.get("tool") or TOOL)
            every = all(finds(tool, text, whole=True) for text in TOOLS)
            tool = "every tool" if every else make_printable(tool)
            if route.get("action") == "allow" and matches_most(route):
                lines.append(
                    f"{shown} allows almost any call of {tool} before other routes are tried: "
                    "they may never block anything"
                )
            elif every:
                lines.append(f"{shown} matches every tool: name the ones you mean")
            elif route.keys().isdisjoint({"tool", "contains"}) and all(
                finds(pattern, url) for url in URLS
            ):
                lines.append(f"{shown} matches every URL: narrow its pattern")
    return lines


def matches_most(route: Mapping[str, Any]) -> bool:
    pattern, contained = str(route.get("pattern", "")), str(route.get("contains") or "").lower()
    for calls in CALLS:
        found = [call for call in calls if contained in call.lower() and finds(pattern, call)]
        if len(found) * 2 >= len(calls):
            return True
    return False


def finds(pattern: str, text: str, *, whole: bool = False) -> bool:
    """Return whether a pattern matches a text; invalid patterns match nothing."""
    try:
        match = re.fullmatch(pattern, text) if whole else re.search(pattern, text, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError):
        return False
    return match is not None
