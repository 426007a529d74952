"""Split Markdown into the sections below `## Lesson: TITLE`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LESSON = re.compile(r"(?i) {0,3}##[ \t]+lesson:(?P<title>.*)")
OPENING = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
CLOSING = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*")


@dataclass(frozen=True)
class Section:
    """What stands below one heading.

    Args:
        line: The heading's, from 1 on.
        title: What the heading says after `Lesson:`, or "".
        lines: What follows, up to the next lesson's heading; other headings are the lesson's own.
        open_fence: The line of a code fence in it that nothing closes, or 0.

    """

    line: int
    title: str
    lines: tuple[str, ...]
    open_fence: int


def split_sections(lines: Sequence[str]) -> list[Section]:
    """Return the lessons' sections; what is in code fences is no heading."""
    fenced, unclosed = find_fences(lines)
    headings = {
        number: trim_title(lesson["title"])
        for number, line in enumerate(lines)
        if number not in fenced and (lesson := LESSON.fullmatch(line))
    }
    sections = []
    for start, end in pairwise([*headings, len(lines)]):
        first_open = next((n + 1 for n in range(start, end) if n in unclosed), 0)
        below = tuple(lines[start + 1 : end])
        sections.append(Section(start + 1, headings[start], below, first_open))
    return sections


def trim_title(title: str) -> str:
    """Return what a heading says, without the signs that may close it: `## Title ##`."""
    title = title.strip()
    opened = title.rstrip("#")
    return title if opened == opened.rstrip() and opened else opened.rstrip()


def find_fences(lines: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the lines of code fences, with what is in them, and those that are never closed.

    An open fence would take all that follows with it, so its line counts as any other.

    Args:
        lines: Of a whole file, numbered from 0 on.

    """
    longest = {"`": [0], "~": [0]}  # of the closing fences from each line on, the last one first
    for line in reversed(lines):
        fence = closing["fence"] if (closing := CLOSING.fullmatch(line)) else " "
        for sign, lengths in longest.items():
            lengths.append(max(lengths[-1], len(fence) if fence[0] == sign else 0))
    fenced: set[int] = set()
    unclosed = set()
    within = ""
    for number, line in enumerate(lines):
        if within:
            fenced.add(number)
            closing = CLOSING.fullmatch(line)
            if closing and closing["fence"].startswith(within):
                within = ""
        elif opening := OPENING.match(line):
            fence = opening["fence"]
            if longest[fence[0]][len(lines) - number - 1] >= len(fence):
                within = fence
                fenced.add(number)
            else:
                unclosed.add(number)
    return fenced, unclosed
