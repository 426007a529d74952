"""Find the code of a page as a reader's program does, however its fences are written.

What is code is kept as it is, so a fence that only looks like one would hide what stands in it.
"""

import re

# How the cutter begins and ends a block of code that is in no list.
PLAIN = re.compile(r"(?P<marks>`{3,})[^`]*")
# What may begin or end one in a list or a quotation, or written in another way.
MAY_BE_FENCE = re.compile(r"[ \t>*+\-\d.)]*(?:```|~~~)")


def list_fenced(text: str) -> list[tuple[int, int]]:
    """Return the first line of each fenced block of code, and the one after its last, in order."""
    if "```" not in text and "~~~" not in text:
        return []
    spans = find_plain(text.split("\n"))
    return parse_fences(text) if spans is None else spans


def find_plain(lines: list[str]) -> list[tuple[int, int]] | None:
    """Return the blocks as `list_fenced` does, or None where only a parser can tell."""
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


def parse_fences(text: str) -> list[tuple[int, int]]:
    """Return the blocks as `list_fenced` does, as CommonMark has them."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").disable("inline").parse(text)
    return [(token.map[0], token.map[1]) for token in tokens if token.type == "fence" and token.map]
