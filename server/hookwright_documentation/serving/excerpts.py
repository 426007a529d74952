"""Cut an excerpt from a page's markdown without breaking its code blocks."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from hookwright_documentation.cutting.markdown import FENCED

CONTINUED = "…"  # starts an excerpt that continues a line; a fence never begins with it


class Excerpt(NamedTuple):
    """An excerpt of a text, with balanced fences."""

    text: str
    end: int  # end position in the whole text, in characters


def cut(text: str, budget: int, start: int = 0) -> Excerpt:
    """Return about `budget` characters of a text with balanced fences.

    If the excerpt can end outside a code block at between half of the budget and one and a half
    times the budget, it does. Otherwise the code block is closed, and reopened in the next excerpt.
    A line is split only if it exceeds the budget.
    """
    line = text.rfind("\n", 0, start) + 1
    next_line = text.find("\n", start) + 1 or len(text)
    begin = line if next_line - line <= budget else start
    blocks = [
        found
        for found in FENCED.finditer(text)
        if found.end() > begin and found.start() < begin + 2 * budget
    ]
    end = find_end(text, blocks, begin, budget)
    shown = text[begin:end].rstrip("\n")
    if begin > line:
        shown = CONTINUED + shown
    if block := find_block(blocks, begin):
        opening = block[0].splitlines()[0]
        if len(opening) > budget:
            opening = f"{block['indent']}{block['marks']}"
        shown = f"{opening}\n{shown}"
    if block := find_block(blocks, end):
        shown = f"{shown}\n{block['indent']}{block['marks']}"
    return Excerpt(shown, end)


def find_end(text: str, blocks: Sequence[re.Match[str]], begin: int, budget: int) -> int:
    if len(text) - begin <= budget:
        return len(text)
    half = budget // 2
    limit = begin + budget + half
    ends = [found.end() for found in re.compile("\n").finditer(text, begin, limit)]
    if len(text) <= limit:
        ends.append(len(text))
    fitting = [end for end in ends if end - begin <= budget]
    outside = [end for end in ends if end - begin >= half and not find_block(blocks, end)]
    if outside:
        return max((end for end in outside if end - begin <= budget), default=outside[0])
    if fitting:
        return fitting[-1]
    space = text.rfind(" ", begin + half, begin + budget)
    return space if space > 0 else begin + budget


def find_block(blocks: Sequence[re.Match[str]], position: int) -> re.Match[str] | None:
    """Return the code block that a position is in, or None."""
    return next((block for block in blocks if block.start() < position < block.end()), None)
