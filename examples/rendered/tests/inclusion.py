"""Tell whether whatever one regular expression finds, another one finds as well.

Each becomes an automaton that reads a text character by character, and all of them read the same
texts side by side. The answer is exact; what cannot be compared exactly is refused.
"""

import importlib
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from redos import MATCHING, PARSER, write_class

if TYPE_CHECKING:
    from collections.abc import Iterable

    Source = tuple[str, int]  # a pattern of one character, and its flags
    Edge = tuple[Union["Anchor", Source, None], int]  # what it takes to get to a state
    States = Iterable[int]

MAX_STATES = 2_000  # of an automaton, as repeats are written out
MAX_STEPS = 200_000  # states that are visited, some of them again and again
ASCII = 128
# One character or more of each kind that \w, \d, \s and . tell apart, and of those that are equal
# to an ASCII letter if case is ignored.
OTHERS = "éÉжЖ漢ªß\u0663\xbd\x85\xa0\u2028\u3000—\u200b\U0001f600\u0130\u0131\u017f\u212a"
ANCHORS = {"AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING", "AT_BOUNDARY"}
REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
INEXACT = {"POSSESSIVE_REPEAT", "ATOMIC_GROUP", "GROUPREF_EXISTS"}


class Place(NamedTuple):
    """What is on one side of a position in a text: a character or, at its ends, none."""

    edge: bool = False
    newline: bool = False
    last: bool = False  # the newline that ends the text, before which $ matches
    words: "tuple[bool, bool]" = (False, False)  # as \w without and with re.ASCII


class Symbol(NamedTuple):
    """Characters that no pattern tells apart: the classes that hold them, and their place."""

    classes: "frozenset[Source]"
    place: Place


class Anchor(NamedTuple):
    """A position that a pattern asks for."""

    kind: str
    flags: int

    def holds(self, before: Place, after: Place) -> bool:
        if self.kind == "AT_BOUNDARY":
            ascii_only = bool(self.flags & re.ASCII)
            return before.words[ascii_only] != after.words[ascii_only]
        lines = bool(self.flags & re.MULTILINE)
        if self.kind.startswith("AT_BEGINNING"):
            return before.edge or (self.kind == "AT_BEGINNING" and lines and before.newline)
        wide = self.kind == "AT_END" and (after.last or (lines and after.newline))
        return after.edge or wide


class Automaton:
    """An automaton that finds a pattern anywhere in a text."""

    def __init__(self, pattern: str, flags: int, *, loose: bool) -> None:
        """Build it.

        Args:
            pattern: A pattern that compiles.
            flags: Its flags.
            loose: Whether it may find more than the pattern, so that all patterns can be read.

        Raises:
            LookupError: It cannot be read exactly, or has too many states.

        """
        self.loose, self.left = loose, MAX_STATES
        self.edges: list[list[Edge]] = [[]]  # of each state; the first one is the end
        parser = importlib.import_module(PARSER)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(pattern, flags)
        self.start = self.add_tree(tree, tree.state.flags, 0)
        self.known: dict[Any, frozenset[int]] = {}

    def add_state(self, *edges: "Edge") -> int:
        """Add a state, and return its number."""
        if len(self.edges) > MAX_STATES:
            raise LookupError("too many states")
        self.edges.append(list(edges))
        return len(self.edges) - 1

    def add_tree(self, tree: "Iterable[Any]", flags: int, end: int) -> int:
        """Add the states that lead through a tree of Python's parser to the end."""
        self.left -= 1  # an empty one has no states
        if self.left < 0:
            raise LookupError("too many states")
        for op, arg in reversed(list(tree)):
            end = self.add_node(str(op), arg, flags, end)
        return end

    def add_node(self, op: str, arg: Any, flags: int, end: int) -> int:
        if op in INEXACT and not self.loose:
            raise LookupError(op)
        if op in REPEATS:
            least, most, tree = arg
            return self.add_repeat(least, most, tree, flags, end)
        if op in {"BRANCH", "GROUPREF_EXISTS"}:
            trees = arg[1] if op == "BRANCH" else arg[1:]
            return self.add_state(*((None, self.add_tree(t or (), flags, end)) for t in trees))
        if op in {"SUBPATTERN", "ATOMIC_GROUP"}:
            _, more, less, tree = arg if op == "SUBPATTERN" else (None, 0, 0, arg)
            return self.add_tree(tree, (flags | more) & ~less, end)
        if op in {"ASSERT", "ASSERT_NOT", "AT"}:
            return self.add_position(op, arg, flags, end)
        return self.add_state(((self.write(op, arg), flags & MATCHING), end))

    def add_position(self, op: str, arg: Any, flags: int, end: int) -> int:
        """Add the state of what matches no character; none for what is not looked at."""
        if op == "AT" and str(arg) in ANCHORS:
            return self.add_state((Anchor(str(arg), flags), end))
        if not self.loose:
            raise LookupError(str(arg))  # such as \B, of which versions of Python differ
        return end

    def write(self, op: str, arg: Any) -> str:
        """Return the pattern of a node that matches one character."""
        items = arg if op == "IN" else [(op, arg)]
        codes = [code for kind, code in items if str(kind) == "RANGE" for code in code]
        if any(code >= ASCII for code in codes):
            raise LookupError("the ends of a range do not tell which of its characters are words")
        return write_class(op, arg)

    def add_repeat(self, least: int, most: int, tree: "Iterable[Any]", flags: int, end: int) -> int:
        endless = str(most) == "MAXREPEAT"
        if not endless and most - least > MAX_STATES and not self.loose:
            raise LookupError("too many states")
        if endless or most - least > MAX_STATES:
            start = self.add_state((None, end))
            self.edges[start].append((None, self.add_tree(tree, flags, start)))
        else:
            start = end
            for _ in range(most - least):
                start = self.add_state((None, self.add_tree(tree, flags, start)), (None, end))
        for _ in range(min(least, MAX_STATES)):
            start = self.add_tree(tree, flags, start)
        return start

    def advance(self, states: "frozenset[int]", before: Place, symbol: Symbol) -> "frozenset[int]":
        """Return the states after a symbol; the end alone once the pattern is found."""
        if 0 in states:
            return states
        key = states, before, symbol
        if key not in self.known:
            self.known[key] = self.step(states, before, symbol)
        return self.known[key]

    def step(self, states: "States", before: Place, symbol: Symbol) -> "frozenset[int]":
        """Return the states after a symbol, as `advance` does."""
        waiting, seen, reached = [*states, self.start], set(), set()
        while waiting:
            state = waiting.pop()
            if state == 0:
                return frozenset([0])
            if state in seen:
                continue
            seen.add(state)
            for test, target in self.edges[state]:
                if test is None or (isinstance(test, Anchor) and test.holds(before, symbol.place)):
                    waiting.append(target)
                elif test in symbol.classes:
                    reached.add(target)
        return frozenset(reached)


START = Place(edge=True)
END = Symbol(frozenset(), START)


def includes(wide: "list[tuple[str, int]]", narrow: "list[tuple[str, int]]") -> bool:
    """Tell whether each text in which all the narrow patterns are found has all the wide ones.

    Args:
        wide: Patterns with their flags.
        narrow: Other patterns with their flags.

    Raises:
        LookupError: They cannot be compared exactly, or not in a moment.

    """
    wides = [build_automaton(*one, loose=False) for one in wide]
    narrows = [build_automaton(*one, loose=True) for one in narrow]
    symbols = list_symbols([*wides, *narrows])
    nothing: frozenset[int] = frozenset()
    waiting = [(START, (nothing,) * len(narrows), (nothing,) * len(wides))]
    seen, steps = set(waiting), 0
    while waiting:
        before, ins, outs = waiting.pop()
        steps += sum(len(states) + 1 for states in (*ins, *outs)) * len(symbols)
        if steps > MAX_STEPS:
            raise LookupError("too many steps")
        for symbol in [END] if before.last else symbols:
            if symbol is END and before.newline and not before.last:
                continue  # that newline would be the last character
            then = tuple(one.advance(s, before, symbol) for one, s in zip(wides, outs))
            if all(0 in states for states in then):
                continue
            now = tuple(one.advance(s, before, symbol) for one, s in zip(narrows, ins))
            if symbol is not END:
                after = symbol.place, now, then
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            elif all(0 in states for states in now):
                return False
    return True


@lru_cache(maxsize=1_024)
def build_automaton(pattern: str, flags: int, *, loose: bool) -> Automaton:
    return Automaton(pattern, flags, loose=loose)


def list_symbols(automata: "list[Automaton]") -> "list[Symbol]":
    """Return one symbol for all characters that the automata do not tell apart, and the end."""
    every = (edge for one in automata for edges in one.edges for edge in edges)
    tests = dict.fromkeys(test for test, _ in every)
    classes = [test for test in tests if test and not isinstance(test, Anchor)]
    codes = {code for source, _ in classes for code in re.findall(r"\\U(\w{8})", source)}
    named = [chr(int(code, 16)) for code in codes]
    alike = "".join(one + one.lower() + one.upper() + one.title() for one in named)
    characters = dict.fromkeys("".join(map(chr, range(ASCII))) + OTHERS + alike)
    found = {test: list_found(test, "".join(characters)) for test in classes}
    symbols = {END}
    for one in characters:
        held = frozenset(test for test in classes if one in found[test])
        words = (bool(re.match(r"\w", one)), bool(re.match(r"\w", one, re.ASCII)))
        symbols.add(Symbol(held, Place(newline=one == "\n", words=words)))
        if one == "\n":
            symbols.add(Symbol(held, Place(newline=True, last=True)))
    return list(symbols)


def list_found(test: "Source", characters: str) -> "set[str]":
    """Return the characters that a class holds."""
    source, flags = test
    return set(re.findall(source, characters, flags))
