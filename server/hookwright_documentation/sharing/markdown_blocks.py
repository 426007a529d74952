"""Find the code and the definitions of links of a page as a reader's program does.

What is code is kept as it is, so a fence that only looks like one would hide what stands in it.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

# How the cutter begins and ends a block of code that is in no list.
PLAIN = re.compile(r"(?P<marks>`{3,})[^`]*")
# What may begin or end one in a list or a quotation, or written in another way.
MAY_BE_FENCE = re.compile(r"[ \t>*+\-\d.)]*(?:```|~~~)")


class Blocks(NamedTuple):
    """Where blocks are in a text: the first line of each, and the one after its last, in order.

    Args:
        fenced: The fenced blocks of code.
        definitions: The definitions of links.

    """

    fenced: Sequence[tuple[int, int]]
    definitions: Sequence[tuple[int, int]] = ()


def find_blocks(text: str) -> Blocks:
    """Return where the code and the definitions are; a parser is asked where only it can tell."""
    may_define = "]:" in text
    if not may_define and "```" not in text and "~~~" not in text:
        return Blocks(())
    plain = None if may_define else find_plain(text.split("\n"))
    return parse_blocks(text) if plain is None else Blocks(plain)


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
    """Return the blocks as CommonMark has them."""
    from markdown_it import MarkdownIt

    found: dict[str, Any] = {}
    tokens = MarkdownIt("commonmark").disable("inline").parse(text, found)
    fenced = [(one.map[0], one.map[1]) for one in tokens if one.type == "fence" and one.map]
    references = [*found.get("references", {}).values(), *found.get("duplicate_refs", ())]
    return Blocks(fenced, sorted((one["map"][0], one["map"][1]) for one in references))
