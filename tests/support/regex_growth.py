"""Find regular expressions whose run time more than doubles when the text doubles.

Each expression is tried on texts derived from its pattern: an opening that it matches, many
repetitions of a match of one part, and an ending that it does not match. Only processor time
counts.
"""

import ast
import importlib
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

# The standard library has no public API for the structure of a pattern.
PARSER, COMPILER = ("re._parser", "re._compiler")
if sys.version_info < (3, 11):
    PARSER, COMPILER = ("sre_parse", "sre_compile")
parser, compiler = map(importlib.import_module, (PARSER, COMPILER))

SIZES = (16, 24, 36, 90, 240, 960, 3840)  # characters; the small sizes detect exponential growth
SHORT = 0.001  # seconds for the longest text; quadratic patterns exceed this many times over
TRIES = 5
TEXTS = 120  # maximum number of texts per pattern of a package
ROUNDS = 3  # the growth must recur in each, because the machine may be busy
MAX_GROWTH = 3.0  # maximum ratio of run times when the text doubles
REPEATED = 40  # maximum number of repetitions of a part
OPTIONS = 8  # maximum number of alternatives to repeat
ANCHORED = {"match", "fullmatch"}
# Sample characters for the classes in patterns.
CHARACTERS = " \t\na0A-_.:/=@'\"\\<`#\u200b\u0645\u3002"


@dataclass(frozen=True)
class Used:
    """A regular expression, its location, and the methods called on it."""

    place: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    def run(self, text: str) -> None:
        if self.methods and self.methods <= ANCHORED:
            for method in self.methods:
                getattr(self.pattern, method)(text)
        else:
            for _ in self.pattern.finditer(text):
                pass


@dataclass(frozen=True)
class Parts:
    """The parts from which texts for a pattern are built.

    Args:
        openings: Starts of texts.
        pumps: Parts to repeat.
        endings: Ends of texts.

    """

    openings: set[str]
    pumps: set[str]
    endings: set[str]


def list_patterns(package: str, folder: Path) -> list[Used]:
    """Return all regular expressions of a package, both at module level and in functions.

    Args:
        package: The package's name.
        folder: The package's source folder.

    """
    trees = {}
    for path in sorted(folder.rglob("*.py")):
        names = [*path.relative_to(folder).parent.parts, path.stem]
        if path.stem != "__main__":  # importing it would run the program
            module = ".".join([package, *names]).removesuffix(".__init__")
            trees[module] = ast.parse(path.read_text("utf-8"))
    methods = defaultdict(set)
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                methods[node.value.id].add(node.attr)
    patterns: dict[re.Pattern[str], Used] = {}
    for module, tree in trees.items():
        for name, value in vars(importlib.import_module(module)).items():
            for pattern in list_held(value):
                used = Used(f"{module}.{name}", pattern, frozenset(methods[name]))
                patterns.setdefault(pattern, used)
        for line, method, pattern in list_inline(tree):
            patterns.setdefault(pattern, Used(f"{module}:{line}", pattern, frozenset([method])))
    return list(patterns.values())


def list_held(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
        return
    held: list[object] = []
    if isinstance(value, Mapping):
        held = list(value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        held = list(value)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        held = list(vars(value).values())
    for inner in held:
        yield from list_held(inner)


def list_inline(tree: ast.Module) -> Iterator[tuple[int, str, re.Pattern[str]]]:
    """Yield the line, method and pattern of calls such as `re.split("a+", text)`.

    This assumes that compiled patterns are used with search, and that flags are passed in the call.
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            named = [inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)]
            flags = sum({getattr(re, name) for name in named if name in re.RegexFlag.__members__})
            method = node.func.attr if node.func.attr != "compile" else "search"
            yield node.lineno, method, re.compile(node.args[0].value, flags)


def find_growth(used: Used, most: int = 1_000_000) -> str:
    """Return a text for which a regular expression's time grows too fast, and the growth; or "".

    Args:
        used: The regular expression.
        most: The maximum number of texts; a fixed selection is used if there are more.

    """
    parts = Parts({""}, set(" \n-a0"), {"", "!", "\n\0x"})
    tree = parser.parse(used.pattern.pattern, used.pattern.flags)
    parts.openings.add(collect(tree, "", parts))
    texts = list(product(*map(sorted, vars(parts).values())))
    chance = random.Random(7)  # noqa: S311 - the same each time
    for opening, pump, ending in chance.sample(texts, min(most, len(texts))):

        def build(size: int, parts: tuple[str, str, str] = (opening, pump, ending)) -> str:
            opening, pump, ending = parts
            return opening + pump * (size // len(pump) + 1) + ending

        if grown := measure_growth(used.run, build):
            return f"{opening[:40]!r} + n * {pump[:40]!r} + {ending[:40]!r}: {grown}"
    return ""


def measure_growth(call: Callable[[str], object], build: Callable[[int], str]) -> str:
    """Return the times for n, 2 n and 4 n characters if a call's time grows too fast, or "".

    Args:
        call: The call to measure.
        build: A function that returns a text of about the given length.

    """
    for size in SIZES:
        if measure(call, build(size), 1) < SHORT:
            continue
        sizes = (size // 4, size // 2, size)
        for _ in range(ROUNDS):
            seconds = [measure(call, build(each), TRIES) for each in sizes]
            steps = [later / sooner for sooner, later in pairwise(seconds)]
            if min(steps) <= MAX_GROWTH or seconds[-1] < SHORT:  # may only be the start
                break
        else:
            times = ", ".join(f"{each * 1000:.3f}" for each in seconds)
            return f"{times} ms for {', '.join(map(str, sizes))} characters"
    return ""


def measure(call: Callable[[str], object], text: str, tries: int) -> float:
    best = float("inf")
    for _ in range(tries):
        start = time.process_time()
        call(text)
        best = min(best, time.process_time() - start)
    return best


def collect(tree: Any, before: str, parts: Parts) -> str:
    """Return a text that a part of a pattern may match, and collect texts for its subparts.

    Args:
        tree: The parsed part.
        before: A text that matches everything before the part.
        parts: The collected texts, to which this function adds.

    """
    text = ""
    for operation, value in tree:
        kind, opening = str(operation), before + text
        if kind == "LITERAL":
            text += chr(value)
        elif kind in {"IN", "ANY", "NOT_LITERAL"}:
            members = list_members(operation, value)
            parts.pumps.update(members)
            text += members[0] if members else ""
        elif kind == "BRANCH":
            options = [collect(option, opening, parts) for option in value[1]]
            parts.pumps.update(filter(None, options[:OPTIONS]))
            text += max(options, key=len)
        elif kind in {"ASSERT", "ASSERT_NOT"}:
            parts.endings.add(collect(value[1], opening, parts))
        elif kind in {"SUBPATTERN", "ATOMIC_GROUP"}:
            text += collect(value[-1] if kind == "SUBPATTERN" else value, opening, parts)
        elif kind.endswith("_REPEAT"):
            least, _, inner = value
            once = collect(inner, opening, parts)
            parts.openings.add(opening)
            parts.pumps.update(filter(None, [once, opening + once]))
            text += once * max(1, min(least, REPEATED))
    return text


def list_members(operation: Any, value: Any) -> list[str]:
    single = parser.parse("x")
    single.data[:] = [(operation, value)]
    pattern = compiler.compile(single)
    named = ""
    for kind, item in value if isinstance(value, list) else ():
        if str(kind) in {"LITERAL", "RANGE"}:
            named += chr(item if str(kind) == "LITERAL" else item[0])
    return [
        character for character in dict.fromkeys(named[:2] + CHARACTERS) if pattern.match(character)
    ]
