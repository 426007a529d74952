"""Cut an excerpt from markdown without breaking its code blocks."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Longer lines are prose and may be split; the opening line of a code block must not be split.
FENCE = re.compile(r"(?=.{3,180}\Z)([ \t]*(?:`{3,}|~{3,}))([^`]*)\Z")
CONTINUED = "…"  # starts an excerpt that continues a line; a fence never begins with it


class Excerpt(NamedTuple):
    """An excerpt of a text, with balanced fences."""

    text: str
    end: int  # end position in the whole text, in characters


class Line(NamedTuple):
    """A line of text."""

    start: int
    end: int  # start of the next line
    before: str  # opening line of the code block that the line starts in, or ""
    after: str  # opening line of the code block that the line ends in, or ""


def cut(text: str, budget: int, start: int = 0) -> Excerpt:
    """Return about `budget` characters of a text.

    If the excerpt can end outside a code block at between half of the budget and one and a half
    times the budget, it does. Otherwise the code block is closed, and reopened in the next excerpt.
    A line is split only if it exceeds the budget, which must be at least 200 characters.
    """
    lines = [line for line in scan(text) if line.end > start]
    if not lines:
        return Excerpt("", len(text))
    first = lines[0]
    begin = first.start if first.end - first.start <= budget else max(first.start, start)
    end, fence = find_end(text, lines, begin, budget)
    shown = text[begin:end].rstrip("\n")
    if begin > first.start:
        shown = CONTINUED + shown
    if first.before:
        shown = f"{first.before}\n{shown}"
    if fence:
        shown = f"{shown}\n{close(fence)}"
    return Excerpt(shown, end)


def find_end(text: str, lines: Sequence[Line], begin: int, budget: int) -> tuple[int, str]:
    """Return the end of an excerpt, and the opening line of the code block at that point, or ""."""
    fitting = [line for line in lines if line.end - begin <= budget]
    if len(fitting) == len(lines):
        return lines[-1].end, lines[-1].after
    half = budget // 2
    outside = [
        line.end for line in lines if not line.after and half <= line.end - begin <= budget + half
    ]
    if outside:
        return max((end for end in outside if end - begin <= budget), default=outside[0]), ""
    if fitting:
        return fitting[-1].end, fitting[-1].after
    space = text.rfind(" ", begin + half, begin + budget)
    return space if space > 0 else begin + budget, lines[0].before


def scan(text: str) -> Iterator[Line]:
    """Yield a text's lines."""
    start, opening = 0, ""
    for content in text.split("\n"):
        before = opening
        if ("```" in content or "~~~" in content) and (found := FENCE.match(content)):
            if not opening:
                opening = content
            elif not found[2].strip() and close(content).strip().startswith(close(opening).strip()):
                opening = ""
        end = min(start + len(content) + 1, len(text))
        yield Line(start, end, before, opening)
        start = end


def close(opening: str) -> str:
    found = FENCE.match(opening)
    return found[1] if found else ""
