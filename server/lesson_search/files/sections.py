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
    """A lesson's heading and text."""

    line: int  # the line of the heading, from 1
    title: str  # the heading after `Lesson:`, or ""
    lines: tuple[str, ...]  # the lines up to the next lesson's heading, other headings included
    open_fence: int  # the line of a code fence in it that is not closed, or 0


def split_sections(lines: Sequence[str]) -> list[Section]:
    """Return the sections of lessons; headings inside code fences do not count."""
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
    title = title.strip()
    opened = title.rstrip("#")
    return title if opened == opened.rstrip() and opened else opened.rstrip()


def find_fences(lines: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the lines inside code fences, and the lines of fences that are not closed.

    An unclosed fence would swallow the rest of the file, so its line counts as text.
    """
    longest = {"`": [0], "~": [0]}  # closing fence at or after each line, from the last line
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
