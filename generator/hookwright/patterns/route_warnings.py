"""Warn about valid routes that probably do not do what their author intended."""

import re
import warnings
from collections.abc import Collection, Mapping
from typing import Any

from hookwright.patterns.check import TOOL
from hookwright_console.text import make_printable, shorten

Routes = Mapping[str, Mapping[str, Any]]
# A {word} that the hook fills in; not ${word}, @{word}, {{word}}, '{word}' and similar code.
PLACEHOLDER = re.compile(r"(?<![$@%^{}>=\\'\"])\{([^\W\d]\w*)\}(?![{}<'\"])")
# A JSON member's value, such as a tool's arguments, in which {word} is filled in.
VALUE = re.compile(
    r'"[^"\n]*"\s{0,9}:\s{0,9}\[?\s{0,9}(?:"([^"\n]*)"|(\{[^\W\d]\w*\})(?=\s*[],}]))'
)
# Contexts in which {word} is also code: in quotes, after import, and where gh fills it in itself.
CODE = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\b(?:import|export)\s[^\n`]*")
GH = re.compile(r"\bgh api\b[^\n`]*")
OWN = re.compile(r"\{(?:owner|repo|branch)\}")
# Other placeholder notations, which count only if the word is a group.
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
    return [*list_broad(routes), *list_unfilled(routes)]


def list_unfilled(routes: Routes) -> list[str]:
    """Return a warning for each {word} in a message that is not a group in the route's pattern."""
    lines = []
    for name, route in routes.items():
        message = str(route.get("message", ""))
        plain = GH.sub(lambda found: OWN.sub(" ", found[0]), CODE.sub(" ", message))
        values = ["".join(filter(None, found.groups())) for found in VALUE.finditer(message)]
        words = dict.fromkeys(PLACEHOLDER.findall("\n".join([plain, *values])))
        groups = list_groups(str(route.get("pattern", "")))
        lines += list_odd(name, message, groups)
        missing = [f"{{{shorten(word)}}}" for word in words if word not in groups]
        if missing:
            has = f"it has {', '.join(map(shorten, groups))}" if groups else "it has none"
            where = make_printable(f"routes.{name}")
            lines.append(
                f"{where}: message has {', '.join(missing)}, but pattern "
                f"has no such group ({has}): rename one with hookwright edit, or leave it if it "
                "means itself"
            )
    return lines


def list_odd(name: str, message: str, groups: Collection[str]) -> list[str]:
    odd = {found[0]: "".join(filter(None, found.groups())) for found in ODD.finditer(message)}
    where = make_printable(f"routes.{name}")
    return [
        f"{where}: message has {make_printable(shorten(text))}, which is "
        f"not filled in: write {{{word}}} for the group of the pattern"
        for text, word in odd.items()
        if word in groups
    ]


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
