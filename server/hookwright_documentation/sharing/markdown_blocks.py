"""Find the code and the definitions of links of a page as a reader's program does.

What is code is kept as it is, so a fence that only looks like one would hide what stands in it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hookwright_console.errors import RefusedError
from hookwright_documentation.sharing.limits import MAX_DEFINITIONS, MAX_NESTING, MAX_PARSED

# How the cutter begins and ends a block of code that is in no list.
PLAIN = re.compile(r"(?P<marks>`{3,})[^`]*")
# What may stand before a line in a list or a quotation.
MARKS = r"[ \t>*+\-\d.)]*"
# What may begin or end a block there, or one that is written in another way.
MAY_BE_FENCE = re.compile(rf"{MARKS}(?:```|~~~)")
# What may define a link; many a line of code looks so, too.
MAY_DEFINE = re.compile(rf"^{MARKS}\[(?:\\[\s\S]|[^\[\]\\])*\]:", re.MULTILINE)
NESTED = re.compile(rf"^{MARKS}", re.MULTILINE)
MARK = re.compile(r"[>*+\-.)]")


class Blocks(NamedTuple):
    """Where blocks are in a text: the first line of each, and the one after its last, in order."""

    fenced: Sequence[tuple[int, int]]  # the fenced blocks of code
    definitions: Sequence[tuple[int, int]] = ()  # the definitions of links


class ParserUse:
    """How much the parser had to read of an archive."""

    def __init__(self) -> None:
        self._read = 0

    def add(self, text: str) -> None:
        """Note that a text is read; raises RefusedError before it is too much."""
        nested = (min(len(MARK.findall(marks)), MAX_NESTING) for marks in NESTED.findall(text))
        self._read += sum(1 + marks for marks in nested)
        if self._read > MAX_PARSED:
            raise RefusedError(
                f"has, with the pages before it, {self._read:,} lines and marks of lists that only "
                f"a parser can read, and may have {MAX_PARSED:,}"
            )


def find_blocks(text: str, use: ParserUse) -> Blocks:
    """Return where the code and the definitions are; a parser is asked where only it can tell.

    Raises:
        RefusedError: The text has more that may be definitions than a page may have, or the
            parser would have to read too much.

    """
    if "]:" not in text and "```" not in text and "~~~" not in text:
        return Blocks(())
    lines = text.split("\n")
    plain = find_plain(lines)
    prose = "\n".join(cut_out(lines, plain or ())) if "]:" in text else ""
    defined = len(MAY_DEFINE.findall(prose))
    if defined > MAX_DEFINITIONS:
        raise RefusedError(
            f"has {defined:,} definitions of links, and may have {MAX_DEFINITIONS:,}"
        )
    if plain is not None and not defined:
        return Blocks(plain)
    use.add(text)
    return parse_blocks(text)


def cut_out(lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield lines with an empty one in the place of each span."""
    at = 0
    for begin, end in spans:
        yield from lines[at:begin]
        yield ""
        at = end
    yield from lines[at:]


def find_plain(lines: list[str]) -> list[tuple[int, int]] | None:
    """Return the blocks of code, or None where only a parser can tell."""
    spans = []
    begin, marks = 0, ""
    for number, line in enumerate(lines):
        if marks and line == marks:
            spans.append((begin, number + 1))
            marks = ""
        elif not MAY_BE_FENCE.match(line):
            continue
        elif marks:
            if line.strip(" \t").startswith(marks):
                return None
        elif opening := PLAIN.fullmatch(line):
            begin, marks = number, opening["marks"]
        else:
            return None
    return None if marks else spans


def parse_blocks(text: str) -> Blocks:
    from markdown_it import MarkdownIt

    found: dict[str, Any] = {}
    tokens = MarkdownIt("commonmark").disable("inline").parse(text, found)
    fenced = [(one.map[0], one.map[1]) for one in tokens if one.type == "fence" and one.map]
    references = [*found.get("references", {}).values(), *found.get("duplicate_refs", ())]
    return Blocks(fenced, sorted((one["map"][0], one["map"][1]) for one in references))
