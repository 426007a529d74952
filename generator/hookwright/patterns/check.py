"""Find the patterns of routes that are wrong or backtrack without end, and show where and why."""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from hookwright.patterns.literals import shorten_repetitions
from hookwright.patterns.redos import find_runaway
from hookwright_console.text import make_printable

# Seconds for one input of 3,000 characters: a loaded machine gets harmless patterns there as well,
# and what takes longer would outlast the hook on a text of 10,000.
LIMIT = 2.0
WIDTH = 76  # cells of a line
INDENT = "  "
EXCERPT = 50  # cells of a pattern in a message of one line

ENDLESS = "can backtrack without end: let no two repeats match the same text"
TOO_LONG = "takes too long to be looked through: split it into several routes"
# What to do about what Python's re finds wrong, by how its message begins.
WAYS_OUT = {
    "missing ), unterminated subpattern": r"add the ), or write \( for the character",
    "missing ), unterminated comment": "add the ) that ends the comment",
    "unbalanced parenthesis": r"take out the ), or write \) for the character",
    "unterminated character set": r"add the ], or write \[ for the character",
    "nothing to repeat": r"put what is to be repeated in front of it, or a \ for the character",
    "multiple repeat": r"take out one of the two, or put a \ in front of the character",
    "min repeat greater than max repeat": "put the lower number first",
    "bad character range": r"put the lower end first, or write \- for the character",
    "bad escape (end of pattern)": r"write \\ for a backslash",
    "bad escape": r"take out the backslash, or write \\ for one",
    "incomplete escape": "give it all of its digits",
    "look-behind requires fixed-width pattern": "let it match one length only, without * + ?",
    "unknown extension ?<": "begin a group that has a name with (?P<name>",
    "unknown extension": "begin a group with (?: or (?P<name>, or write \\( for the character",
    "unexpected end of pattern": r"finish what is begun there, or write \( for the character",
    "redefinition of group name": "give each group a name of its own",
    "bad character in group name": "use letters, digits and _",
    "missing group name": "give the group a name, as in (?P<name>...)",
    "unknown group name": "name a group that stands in front of it",
    "invalid group reference": "name a group that stands in front of it",
    "cannot refer to an open group": "name a group that has ended in front of it",
    "global flags not at the start": "put them first, or round a part, as in (?i:part)",
    "Flags not at the start": "put them first, or round a part, as in (?i:part)",
    "bad inline flags": "take out the flag",
    "the repetition number is too large": "take a smaller one",
    "Possible ": r"put a \ in front of it, for it will mean something else in a later Python",
}
OTHERWISE = "write it as Python's re takes it"

# The tokens of a pattern, with names for what only newer Pythons take: a hook runs under 3.9, too.
SYNTAX = re.compile(
    r"""(?s)(?P<escape>\\z)|\\N\{[^}]*\}|\\.
    |\[\^?\]?(?:\\.|[^\]\\])*\]
    |\(\?\#(?:\\.|[^)\\])*\)|(?P<atomic>\(\?>)|(?P<verbose>\(\?[a-zA-Z]*x)|\(\??
    |(?P<possessive>(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})\+)|[*+?]\?
    |(?P<comment>\#[^\n]*)|.""",
    re.VERBOSE,
)
NEWER = {
    "atomic": r"only Python 3.11 and later take the atomic group (?>: write (?: for it",
    "possessive": r"only Python 3.11 and later take a possessive repeat: take out its second +",
    "escape": r"only Python 3.14 and later take \z: write \Z for it",
}


@dataclass(frozen=True)
class Flaw:
    """What is wrong with a pattern, where, and the way out.

    Attributes:
        route: The name of the route; "" for a pattern of none.
        field: Where the pattern stands in the route: "pattern" or "tool".
        pattern: The pattern itself.
        message: What is wrong and the way out, in one line that can be printed.
        position: Where in the pattern, counted from 0; None where that is nowhere in particular.
        input: On which an endless pattern takes longer than anyone waits; "" for any other.

    """

    route: str
    field: str
    pattern: str
    message: str
    position: int | None = None
    input: str = ""

    @property
    def place(self) -> str:
        """Where the pattern stands, as in the template's own complaints."""
        return f"routes.{make_printable(self.route)}: {self.field}" if self.route else self.field

    def __str__(self) -> str:
        """Return the flaw in one line: the record, the field, the value, the way out."""
        excerpt, _ = cut_around(self.pattern, self.position or 0, EXCERPT)
        shown = f", e.g. on {shorten_repetitions(self.input)}" if self.input else ""
        where = "" if self.position is None else f", wrong at character {self.position + 1}"
        return f'{self.place} is "{excerpt}"{where}: {self.message}{shown}'

    def show(self) -> str:
        """Return the flaw in lines for a terminal, with a caret under its place in the pattern."""
        excerpt, before = cut_around(self.pattern, self.position or 0, WIDTH - len(INDENT))
        lines = [f"{self.place}: {self.message}", INDENT + excerpt]
        if self.position is not None:
            lines.append(f"{INDENT}{' ' * before}^")
        if self.input:
            lines.append(f"{INDENT}e.g. on {shorten_repetitions(self.input)}")
        return "\n".join(lines)


def check_pattern(pattern: str, tool: str = "WebFetch", name: str = "") -> Flaw | None:
    """Return what is wrong with the pattern of a route, or None.

    Args:
        pattern: As the answers have it.
        tool: Of the route, for the hook ignores case but for Bash.
        name: The route's.

    """
    flaws = check_routes({name: {"pattern": pattern, "tool": tool}})
    return next((flaw for flaw in flaws if flaw.field == "pattern"), None)


def check_routes(
    routes: Mapping[str, Mapping[str, Any]], progress: Callable[[str], object] | None = None
) -> list[Flaw]:
    """Return what is wrong with the patterns of routes, in the order of the routes.

    Args:
        routes: The answers, in which the template's own validators find nothing wrong.
        progress: Called with the name of each route whose pattern is about to be searched, which
            takes some two seconds for one that is endless.

    Returns:
        At most one flaw for each pattern and each tool.

    """
    flaws: dict[int, Flaw] = {}
    searched: list[tuple[int, str, str, str, int]] = []
    for number, (name, field, pattern, flags) in enumerate(list_patterns(routes)):
        fault = find_fault(pattern)
        if fault:
            flaws[number] = Flaw(name, field, pattern, *fault)
        else:
            searched.append((number, name, field, pattern, flags))

    def begin(place: int) -> None:
        if progress:
            progress(searched[place][1])

    while searched:
        found = find_runaway([to_search(row[2:]) for row in searched], LIMIT, begin)
        if not found:
            break
        number, name, field, pattern, _ = searched[found[0]]
        message = ENDLESS if found[1] else TOO_LONG
        flaws[number] = Flaw(name, field, pattern, message, input=found[1])
        del searched[: found[0] + 1]
    return [flaw for _, flaw in sorted(flaws.items())]


def list_patterns(
    routes: Mapping[str, Mapping[str, Any]],
) -> Iterator[tuple[str, str, str, int]]:
    """Yield route, field, pattern and flags of each pattern, as the hook matches it."""
    for name, route in routes.items():
        tool = route.get("tool", "WebFetch")
        if "tool" in route:
            yield name, "tool", tool, 0
        yield name, "pattern", route["pattern"], 0 if tool == "Bash" else int(re.IGNORECASE)


def to_search(row: tuple[str, str, int]) -> tuple[str, int]:
    """Return the pattern and the flags by which re.search does what the hook does with a field."""
    field, pattern, flags = row
    return (rf"^(?:{pattern})\Z" if field == "tool" else pattern), flags


def find_fault(pattern: str) -> tuple[str, int | None] | None:
    """Return why a pattern does not compile under each Python from 3.9 on, and where; or None.

    This is quick enough for each key stroke; only check_pattern finds what backtracks without end.
    """
    newer = find_newer(pattern)
    if newer:
        return newer
    re.purge()  # for what was compiled before is not warned of again
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except re.error as error:
        return describe(error.msg), error.pos
    except Warning as warning:  # of what a later Python refuses, or takes for something else
        what, _, position = str(warning).rpartition(" at position ")
        what = what.partition(" of the expression ")[0].removesuffix(" but")
        return describe(what or position), int(position) if what else None
    except RecursionError:
        return "is nested too deeply: take out the parentheses it does not need", None
    except (OverflowError, ValueError) as error:
        return describe(str(error)), None
    return None


def describe(what: str) -> str:
    """Return what re says is wrong, and the way out."""
    ways = (way for start, way in WAYS_OUT.items() if what.startswith(start))
    return f"{make_printable(what)}: {next(ways, OTHERWISE)}"


def find_newer(pattern: str) -> tuple[str, int] | None:
    """Return what only newer Pythons take in a pattern, and where; or None."""
    end, verbose = 0, False
    while token := SYNTAX.match(pattern, end):
        kind = token.lastgroup
        if kind in NEWER:
            return NEWER[kind], token.end() - 1 if kind == "possessive" else token.start()
        verbose |= kind == "verbose"  # where alone a # begins a comment
        end = token.end() if kind != "comment" or verbose else token.start() + 1
    return None


def cut_around(pattern: str, place: int, width: int) -> tuple[str, int]:
    """Return what of a pattern fits a width and holds a place, and the cells in front of that.

    Args:
        pattern: Of any characters; what cannot be printed is escaped.
        place: An index into the pattern, or its length.
        width: In cells of a terminal, of which wide characters take two.

    """
    pieces = [make_printable(character) for character in pattern]
    # Characters count as well, for any number of combining ones would fit no cells.
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
