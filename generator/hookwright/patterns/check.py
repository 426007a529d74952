"""Find invalid patterns, runaway backtracking, and routes that probably do what nobody meant."""

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from hookwright.patterns.redos import find_runaway
from hookwright_console.text import make_printable, shorten

# Seconds for a 3,000-character input. A lower limit would reject harmless patterns on a busy
# machine; a slower pattern would exceed the hook's time limit on a 10,000-character text.
LIMIT = 2.0
TOOL = "WebFetch"  # the default tool of a route
WIDTH = 76  # columns of a line
INDENT = "  "
EXCERPT = 50  # pattern columns in a one-line message

ENDLESS = "can backtrack without end: let no two repeats match the same text"
TOO_LONG = "takes too long to check: split it into several routes"
# The fix for each error of Python's re, by the start of its message.
FIXES = {
    "missing ), unterminated subpattern": r"add the ), or write \( for the character",
    "missing ), unterminated comment": "add the ) that ends the comment",
    "unbalanced parenthesis": r"remove the ), or write \) for the character",
    "unterminated character set": r"add the ], or write \[ for the character",
    "nothing to repeat": r"put something to repeat before it, or \ for the character",
    "multiple repeat": r"remove one of the two, or put a \ before the character",
    "min repeat greater than max repeat": "put the lower number first",
    "bad character range": r"put the lower end first, or write \- for the character",
    "bad escape (end of pattern)": r"write \\ for a backslash",
    "bad escape": r"remove the backslash, or write \\ for one",
    "incomplete escape": "write all its digits",
    "look-behind requires fixed-width pattern": "use a fixed length, without * + ?",
    "unknown extension ?<": "start a named group with (?P<name>",
    "unknown extension": "start a group with (?: or (?P<name>, or write \\( for the character",
    "unexpected end of pattern": r"complete the group, or write \( for the character",
    "redefinition of group name": "give each group its own name",
    "bad character in group name": "use letters, digits and _",
    "missing group name": "give the group a name, as in (?P<name>...)",
    "unknown group name": "name a group before it",
    "invalid group reference": "name a group before it",
    "cannot refer to an open group": "name a group that ends before it",
    "global flags not at the start": "put them first, or around a part, as in (?i:part)",
    "Flags not at the start": "put them first, or around a part, as in (?i:part)",
    "bad inline flags": "remove the flag",
    "the repetition number is too large": "use a smaller one",
    "Possible ": r"put a \ before it: later Pythons read it differently",
}
OTHERWISE = "write it as Python's re expects it"

# A pattern's tokens, with names for those that Python 3.9, which also runs hooks, rejects.
SYNTAX = re.compile(
    r"""(?s)(?P<escape>\\z)|\\N\{[^}]*\}|\\.
    |\[\^?\]?(?:\\.|[^\]\\])*\]
    |\(\?\#(?:\\.|[^)\\])*\)|(?P<atomic>\(\?>)|(?P<verbose>\(\?[a-zA-Z]*x)|\(\??
    |(?P<possessive>(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})\+)|[*+?]\?
    |(?P<comment>\#[^\n]*)|.""",
    re.VERBOSE,
)
NEWER = {
    "atomic": r"the atomic group (?> needs Python 3.11: write (?: instead",
    "possessive": r"a possessive repeat needs Python 3.11: remove its second +",
    "escape": r"\z needs Python 3.14: write \Z instead",
}
REPETITION = re.compile(r"(?s)(.{1,100}?)\1{3,}")
MIN_LENGTH = 10  # shortest repetition, in characters, that is abbreviated
MAX_SHOWN = 60  # longest other text, in characters, that is not abbreviated
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


@dataclass(frozen=True)
class PatternFault:
    """A pattern's fault: the error, its position, and the fix."""

    route: str  # "" outside a route
    field: str  # "pattern" or "tool"
    pattern: str
    message: str  # the fault and the fix, in one printable line
    position: int | None = None  # index in the pattern; None for the whole pattern
    input: str = ""  # input with runaway backtracking; "" for other faults

    @property
    def place(self) -> str:
        """The pattern's place in the notation of the template's checks."""
        return f"routes.{make_printable(self.route)}: {self.field}" if self.route else self.field

    def __str__(self) -> str:
        excerpt, _ = cut_around(self.pattern, self.position or 0, EXCERPT)
        shown = f", e.g. on {shorten_repetitions(self.input)}" if self.input else ""
        where = "" if self.position is None else f", wrong at character {self.position + 1}"
        return f'{self.place} is "{excerpt}"{where}: {self.message}{shown}'

    def show(self) -> str:
        """Return the fault as lines for a terminal, with a caret below the faulty position."""
        excerpt, before = cut_around(self.pattern, self.position or 0, WIDTH - len(INDENT))
        lines = [f"{self.place}: {self.message}", INDENT + excerpt]
        if self.position is not None:
            lines.append(f"{INDENT}{' ' * before}^")
        if self.input:
            lines.append(f"{INDENT}e.g. on {shorten_repetitions(self.input)}")
        return "\n".join(lines)


def check_pattern(pattern: str, tool: str = TOOL) -> PatternFault | None:
    """Return the fault of a route's pattern, or None; `tool` determines how it is matched."""
    faults = check_routes({"": {"pattern": pattern, "tool": tool}})
    return next((fault for fault in faults if fault.field == "pattern"), None)


def check_routes(routes: Mapping[str, Mapping[str, Any]]) -> list[PatternFault]:
    """Return the faults in routes' patterns, at most one per pattern and tool."""
    faults: dict[int, PatternFault] = {}
    searched: list[tuple[int, str, str, str, int]] = []
    for number, (name, field, pattern, flags) in enumerate(list_patterns(routes)):
        fault = find_fault(pattern)
        if fault:
            faults[number] = PatternFault(name, field, pattern, *fault)
        else:
            searched.append((number, name, field, pattern, flags))

    while searched:
        patterns = [
            (rf"^(?:{pattern})\Z" if field == "tool" else pattern, flags)
            for _, _, field, pattern, flags in searched
        ]
        found = find_runaway(patterns, LIMIT)
        if not found:
            break
        number, name, field, pattern, _ = searched[found[0]]
        message = ENDLESS if found[1] else TOO_LONG
        faults[number] = PatternFault(name, field, pattern, message, input=found[1])
        del searched[: found[0] + 1]
    return [fault for _, fault in sorted(faults.items())]


def list_patterns(
    routes: Mapping[str, Mapping[str, Any]],
) -> Iterator[tuple[str, str, str, int]]:
    for name, route in routes.items():
        tool = route.get("tool", TOOL)
        if "tool" in route:
            yield name, "tool", tool, 0
        yield name, "pattern", route["pattern"], 0 if tool == "Bash" else int(re.IGNORECASE)


def find_fault(pattern: str) -> tuple[str, int | None] | None:
    """Return why and where a pattern does not compile in every Python since 3.9, or None.

    Fast enough to run at each keystroke; check_pattern also finds runaway backtracking.
    """
    newer = find_newer(pattern)
    if newer:
        return newer
    re.purge()  # cached patterns raise no warning
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except re.error as error:
        return format_problem(error.msg), error.pos
    except Warning as warning:  # later Pythons reject it or interpret it differently
        what, _, position = str(warning).rpartition(" at position ")
        what = what.partition(" of the expression ")[0].removesuffix(" but")
        return format_problem(what or position), int(position) if what else None
    except RecursionError:
        return "is nested too deeply: remove parentheses it does not need", None
    except (OverflowError, ValueError) as error:
        return format_problem(str(error)), None
    return None


def format_problem(what: str) -> str:
    fixes = (fix for start, fix in FIXES.items() if what.startswith(start))
    return f"{make_printable(what)}: {next(fixes, OTHERWISE)}"


def find_newer(pattern: str) -> tuple[str, int] | None:
    end, verbose = 0, False
    while token := SYNTAX.match(pattern, end):
        kind = token.lastgroup
        if kind in NEWER:
            return NEWER[kind], token.end() - 1 if kind == "possessive" else token.start()
        verbose |= kind == "verbose"  # # starts a comment only in verbose mode
        end = token.end() if kind != "comment" or verbose else token.start() + 1
    return None


def cut_around(pattern: str, place: int, width: int) -> tuple[str, int]:
    pieces = [make_printable(character) for character in pattern]
    # Limit the number of characters as well, because combining characters have no width.
    room, start, end = width - 3, place, place

    def fits(first: int, last: int, most: int) -> bool:
        text = "".join(pieces[first:last])
        return 0 <= first <= last <= len(pieces) and max(cell_len(text), len(text)) <= most

    while fits(start - 1, place, room // 2):
        start -= 1
    while fits(start, end + 1, room):
        end += 1
    while fits(start - 1, end, room):
        start -= 1
    front = ("…" if start else "") + "".join(pieces[start:place])
    return front + "".join(pieces[place:end]) + ("…" if end < len(pieces) else ""), cell_len(front)


def shorten_repetitions(text: str) -> str:
    parts, end = [], 0
    for found in REPETITION.finditer(text):
        if len(found[0]) >= MIN_LENGTH:
            parts += [write(text[end : found.start()])] if end < found.start() else []
            parts.append(f"{write(found[1])} * {len(found[0]) // len(found[1])}")
            end = found.end()
    if end < len(text) or not parts:
        parts.append(write(text[end:]))
    return " + ".join(parts)


def write(text: str) -> str:
    half = MAX_SHOWN // 2
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:half]}...{text[-half:]}")


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
