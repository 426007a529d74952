"""Find patterns with runaway backtracking, using inputs that trigger it."""

import importlib
import json
import queue
import re
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice, product, zip_longest
from pathlib import Path
from string import ascii_lowercase
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PARSER = "re._parser" if sys.version_info >= (3, 11) else "sre_parse"
PLAIN = "a0 -/\0\n\xe9\u6f22" + ascii_lowercase
ALPHABET = "".join(dict.fromkeys(PLAIN + "".join(map(chr, range(128)))))
SHORT, LONG, ENDLESS = 50, 3_000, 10  # repeats, characters, and repeats that count as unlimited
MAX_SHORT, MAX_LONG, MAX_PUMPS = 400, 40, 10  # inputs per pattern, and texts to repeat
MAX_BOUNDED = 80  # maximum inputs for repeats that are short individually but long together
FILE = Path(__file__).resolve()
PATIENCE = 8.0  # seconds to start, and to build a pattern's inputs
MAX_WORK = 6.0  # processor seconds per pattern
MATCHING = re.ASCII | re.DOTALL | re.IGNORECASE  # flags that change which text a character matches


class Node(NamedTuple):
    """A part of a pattern: its characters or parts, and its repetition or group."""

    kind: str
    parts: "list[list[Node]]"
    characters: str = ""
    least: int = 0
    most: int = 0


class Variant(NamedTuple):
    """A choice of matching text: its first character, alternative and number of repeats."""

    first: str = ""
    branch: int = 0
    repeats: int = 0


def write_class(op: str, arg: Any) -> str:
    """Return a node's pattern if it matches one character; raises LookupError for others."""
    if op == "ANY":
        return "."
    if op in {"LITERAL", "NOT_LITERAL"}:
        return f"[{'^' * (op != 'LITERAL')}\\U{arg:08x}]"
    if op == "NEGATE":
        return "^"
    if op == "RANGE":
        return f"\\U{arg[0]:08x}-\\U{arg[1]:08x}"
    if op == "CATEGORY":  # CATEGORY_NOT_DIGIT is \D
        _, *negated, kind = str(arg).split("_")
        return f"\\{kind[0] if negated else kind[0].lower()}"
    if op == "IN":
        return f"[{''.join(write_class(str(item), value).strip('[]') for item, value in arg)}]"
    raise LookupError(f"Python's parser of patterns has a new node, {op}")


@lru_cache(maxsize=4_096)
def list_characters(source: str, flags: int) -> str:
    """Return characters matched by a one-character pattern, plainest first."""
    bounds = [int(code, 16) for code in re.findall(r"\\U(\w{8})", source)]
    near = [chr(min(max(code + step, 0), sys.maxunicode)) for code in bounds for step in (0, 1, -1)]
    return "".join(dict.fromkeys(re.findall(source, ALPHABET + "".join(near), flags & MATCHING)))


def read_node(op: str, arg: Any, flags: int) -> Node:
    if op in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        return Node("repeat", [read_tree(arg[2], flags)], least=arg[0], most=arg[1])
    if op in {"SUBPATTERN", "ATOMIC_GROUP"}:
        group, more, less, tree = arg if op == "SUBPATTERN" else (None, 0, 0, arg)
        return Node("group", [read_tree(tree, (flags | more) & ~less)], least=group or 0)
    if op in {"ASSERT", "ASSERT_NOT"}:
        return Node(op, [read_tree(arg[1], flags)], least=arg[0])
    if op in {"BRANCH", "GROUPREF_EXISTS"}:
        trees = arg[1] if op == "BRANCH" else arg[1:]
        return Node("branch", [read_tree(tree or (), flags) for tree in trees])
    if op in {"AT", "FAILURE", "GROUPREF"}:
        return Node(op, [], least=arg if op == "GROUPREF" else 0)
    return Node("class", [], list_characters(write_class(op, arg), flags))


def read_tree(tree: "Iterable[Any]", flags: int) -> "list[Node]":
    return [read_node(str(op), arg, flags) for op, arg in tree]


def read_pattern(pattern: str, flags: int = 0) -> "list[Node]":
    parser = importlib.import_module(PARSER)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = parser.parse(pattern, flags)
    return read_tree(tree, tree.state.flags)


def build_example(nodes: "Iterable[Node]", variant: Variant, groups: "dict[int, str]") -> str:
    """Return a text that the nodes match, ignoring lookarounds; save group matches in `groups`."""
    text = ""
    for kind, parts, characters, least, most in nodes:
        inner = parts[variant.branch % len(parts)] if parts else []
        part = build_example(inner, variant, groups)
        if kind == "class":
            part = (
                variant.first if variant.first and variant.first in characters else characters[:1]
            )
        elif kind == "repeat":
            part *= min(max(least, min(most, variant.repeats)), LONG // max(1, len(part)))
        elif kind == "group":
            groups[least] = part
        elif kind == "GROUPREF":
            part = groups.get(least, "")
        elif kind == "ASSERT_NOT" or (kind == "ASSERT" and least > 0 and variant.repeats):
            part = ""  # otherwise the lookahead's text comes first, which often works too
        text += part
    return text


def walk(nodes: "list[Node]", before: "tuple[Node, ...]" = ()) -> "Iterator[tuple[Node, Any]]":
    """Yield each node of a tree with the preceding nodes."""
    for number, node in enumerate(nodes):
        front = (*before, *nodes[:number])
        yield node, front
        for part in node.parts:
            yield from walk(part, front)


def list_marks(nodes: "list[Node]") -> "dict[str, int]":
    """Return one character for each combination of classes that match it, and their number."""
    classes = [node.characters for node, _ in walk(nodes) if node.kind == "class"]
    kinds = list(dict.fromkeys([*classes, list_characters(r"\w", 0)]))  # for \b
    marks: dict[tuple[bool, ...], str] = {}
    for character in dict.fromkeys(chain(ALPHABET, *kinds)):
        marks.setdefault(tuple(character in kind for kind in kinds), character)
    return {mark: sum(mark in each for each in classes) for mark in marks.values()}


def list_pumps(body: "list[Node]", marks: "list[str]", groups: "dict[int, str]") -> "list[str]":
    """Return texts that a repeat's body matches, single texts and pairs."""
    branches = max([1, *(len(node.parts) for node, _ in walk(body))])
    variants = product(["", *marks[:1], " ", *marks[1:5]], (0, 1), range(min(branches, MAX_PUMPS)))
    texts = (build_example(body, Variant(f, b, s), dict(groups)) for f, s, b in variants)
    pumps = list(islice(filter(None, dict.fromkeys(texts)), MAX_PUMPS))
    return [*pumps, *(first + two for first, two in product(pumps, repeat=2) if first != two)]


def list_attacks(
    repeat: Node, before: "tuple[Node, ...]", marks: "dict[str, int]", *, long: bool
) -> "Iterator[str]":
    """Yield inputs that reach a repeat, make it match in many ways, and then fail."""
    own = [node.characters for node, _ in walk(repeat.parts[0]) if node.kind == "class"]
    inside = sorted((m for m in marks if any(m in each for each in own)), key=lambda m: -marks[m])
    outside = sorted(marks, key=lambda m: (sum(m in each for each in own), marks[m]))
    suffixes = [outside[0] * 2, "", outside[min(1, len(outside) - 1)] * 2]
    ahead = [node for node, _ in walk([*before]) if node.kind == "ASSERT" and node.least > 0]
    if wanted := build_example(ahead, Variant(), {}):  # what a lookahead needs may come at the end
        suffixes = [suffixes[0], wanted, suffixes[0] + wanted]
    short = []
    for variant in (Variant(), Variant(" ", 0, 1)):
        groups: dict[int, str] = {}
        prefix = build_example(before, variant, groups)
        pumps = list_pumps(repeat.parts[0], inside, groups)
        if not long:
            short.append([prefix + pump * SHORT + end for pump, end in product(pumps, suffixes)])
            continue
        if repeat.least > 1:  # with one repeat missing, the engine tries every way to find it
            for pump, mark in product(pumps[:3], inside[:3]):
                yield prefix + pump * min(repeat.least - 1, LONG // len(pump)) + mark * LONG
        for pump, end in product(pumps[:3], suffixes[:2]):
            yield prefix + pump * (LONG // len(pump)) + end
        if prefix and pumps:  # a match can start at many positions
            yield (prefix + pumps[0]) * (LONG // len(prefix + pumps[0]))
    yield from interleave(short, len(short) * MAX_SHORT) if wanted else chain(*short)


def list_whole(nodes: "list[Node]", marks: "dict[str, int]", repeats: int) -> "Iterator[str]":
    """Yield inputs that match a sequence with repeats, each as often, and some with a wrong end.

    With 0 repeats, they are the shortest: (?:a?){30}a{30} tries every way to repeat a? before it
    leaves enough for a{30}. With 1, they fail after many choices, such as 28 times a?.
    """
    end = min(marks, key=marks.__getitem__) * 2
    firsts = ["", *sorted(marks, key=lambda m: -marks[m])[:2]]
    parts = ((part, front) for node, front in walk(nodes) for part in node.parts)
    for sequence, before in chain([(nodes, ())], parts):
        inner = [node for node, _ in walk(sequence)]
        choices = sum(node.kind in {"branch", "repeat"} for node in inner)
        if choices < ENDLESS and (repeats or all(node.kind != "repeat" for node in inner)):
            continue
        branches = range(min(max(len(node.parts) for node in inner), MAX_PUMPS))
        for branch, first in product(branches, firsts):
            groups: dict[int, str] = {}
            prefix = build_example(before, Variant(), groups)
            text = build_example(sequence, Variant(first, branch, repeats), groups)
            yield from (prefix + text, prefix + text[:-1] + end)


def interleave(sources: "Iterable[Iterable[str]]", most: int) -> "list[str]":
    """Return the first texts of all sources, alternating between the sources."""
    texts = (text for text in chain.from_iterable(zip_longest(*sources)) if text)
    return list(islice(dict.fromkeys(islice(texts, 2 * most)), most))


def build_attacks(pattern: str, flags: int = 0) -> "list[str]":
    try:
        nodes = read_pattern(pattern, flags)
        marks = list_marks(nodes)
        every = [each for each in walk(nodes) if each[0].kind == "repeat"]
        repeats = [each for each in every if each[0].most >= ENDLESS]
        bounded = [each for each in every if each[0].most < ENDLESS][:MAX_BOUNDED]
        short = interleave((list_attacks(*each, marks, long=False) for each in repeats), MAX_SHORT)
        many = (list_attacks(*each, marks, long=False) for each in bounded)
        short += interleave([*(list_whole(nodes, marks, n) for n in (0, 1)), *many], MAX_BOUNDED)
        long = interleave((list_attacks(*each, marks, long=True) for each in repeats), MAX_LONG)
        many = (list_attacks(*each, marks, long=True) for each in bounded)
        long += interleave(many, MAX_LONG)
    except Exception:  # noqa: BLE001 - the parser is Python's own, and may change at any time
        return []
    return list(dict.fromkeys([*short, *long]))


def search_all() -> None:
    """Try every input of every pattern on stdin, printing the pattern's number and the input first.

    The input is null while a pattern's inputs are built, and "" if they take too long in total.
    """
    for number, (pattern, flags) in enumerate(json.load(sys.stdin)):
        end = time.process_time() + MAX_WORK
        print(json.dumps([number, None]), flush=True)
        try:
            regex = re.compile(pattern, flags)
        except (re.error, OverflowError, RecursionError, ValueError):
            continue  # nothing to try
        for text in build_attacks(pattern, flags):
            print(json.dumps([number, text if time.process_time() < end else ""]), flush=True)
            regex.search(text)
    print("null", flush=True)


def forward_lines(source: "IO[str]", lines: "queue.SimpleQueue[str]") -> None:
    """Put a pipe's lines, and an empty line at its end, into a queue that supports timeouts."""
    for line in source:
        lines.put(line)
    lines.put("")


def find_runaway(patterns: "list[tuple[str, int]]", seconds: float) -> "tuple[int, str] | None":
    """Return the number of the first pattern that takes longer than `seconds`, and its input.

    Patterns come with their `re` flags; a pattern that this Python cannot compile is skipped. The
    input is "" if the inputs take too long in total, for example for a very long pattern.
    """
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    number, text = 0, None
    with subprocess.Popen(  # only killing its process stops a match
        [sys.executable, "-I", str(FILE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # Ctrl-C also stops the child, and the parent reports that
        encoding="ascii",
    ) as child:
        assert child.stdin
        assert child.stdout
        reader = threading.Thread(target=forward_lines, args=(child.stdout, lines))
        reader.start()
        try:
            with suppress(OSError):  # if the child has ended, its output is complete
                child.stdin.write(json.dumps(patterns))
                child.stdin.close()
            while line := lines.get(timeout=PATIENCE if text is None else seconds):
                tried = json.loads(line)
                if tried is None:
                    return None
                number, text = tried
                if text == "":
                    return number, text
        except queue.Empty:
            return number, text or ""
        finally:
            child.kill()
            reader.join()
    raise RuntimeError(f"the search for runaway patterns stopped at {patterns[number][0][:60]!r}")


if __name__ == "__main__":
    search_all()
