"""Divide a long text where it reads well: no fence is left open, no row without its head."""

import re
from collections.abc import Iterator

from hookwright_documentation.cutting.markdown import FENCE

LENGTH = 2_000  # characters of a part, about
REST = 300  # characters that stay with the part before
SENTENCES = re.compile(r"(?<=[.!?;:]) ")


def divide(text: str) -> Iterator[str]:
    """Yield the parts of a text, each of about 2,000 characters; one if it is empty."""
    if len(text) <= LENGTH + REST:
        yield text
        return
    part: list[str] = []
    length = 0
    pieces = [piece for block in read_blocks(text) for piece in divide_block(block)]
    rest = sum(len(piece) + 2 for piece in pieces)
    for piece in pieces:
        if part and length + len(piece) > LENGTH and rest > REST:
            yield "\n\n".join(part)
            part, length = [], 0
        part.append(piece)
        length += len(piece) + 2
        rest -= len(piece) + 2
    yield "\n\n".join(part)


def read_blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each block: code, or what stands between blank lines."""
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        if fence:
            block.append(line)
            if line.strip(" ") == fence:
                yield block
                block, fence = [], ""
        elif opening := FENCE.fullmatch(line):
            if block:
                yield block
            block, fence = [line], opening["marks"]
        elif line:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def divide_block(block: list[str]) -> Iterator[str]:
    if sum(map(len, block)) + len(block) <= LENGTH:
        yield "\n".join(block)
    elif FENCE.fullmatch(block[0]):
        for lines in gather(block[1:-1], LENGTH):
            yield "\n".join([block[0], *lines, block[-1]])
    elif len(block) > 1 and block[1].lstrip(" ").startswith("|---"):
        head = block[:2]
        for lines in gather(block[2:], max(LENGTH - len(head[0]), LENGTH // 2)):
            yield "\n".join([*head, *lines])
    else:
        for lines in gather([part for line in block for part in divide_line(line)], LENGTH):
            yield "\n".join(lines)


def gather(lines: list[str], length: int) -> Iterator[list[str]]:
    """Yield lines in groups of about a length, in characters."""
    group: list[str] = []
    gathered = 0
    for line in lines:
        if group and gathered + len(line) > length:
            yield group
            group, gathered = [], 0
        group.append(line)
        gathered += len(line) + 1
    if group:
        yield group


def divide_line(line: str) -> Iterator[str]:
    if len(line) <= LENGTH:
        yield line
        return
    part = ""
    for sentence in SENTENCES.split(line):
        if part and len(part) + len(sentence) > LENGTH:
            yield part
            part = ""
        part = f"{part} {sentence}" if part else sentence
        while len(part) > 2 * LENGTH:
            at = part.rfind(" ", LENGTH // 2, LENGTH)
            at = at if at > 0 else LENGTH
            yield part[:at]
            part = part[at:].lstrip(" ")
    if part:
        yield part
