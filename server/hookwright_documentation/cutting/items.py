"""Put blocks into items of lists and cells of tables."""

import re

from hookwright_documentation.cutting.markdown import FENCE

NO_PARAGRAPH = re.compile(r" *(?:`{3,}[^`\n]*$|\||-( |$)|\d+\. |> )", re.MULTILINE)
LIST = re.compile(r"-\s|\d+\. ")


def is_paragraph(block: str) -> bool:
    """Return whether a block is a paragraph, not code, a row, a list or a quotation."""
    return not NO_PARAGRAPH.match(block)


def write_item(marker: str, blocks: list[str]) -> str:
    """Return an item of a list."""
    if not blocks:
        return ""
    indent = " " * len(marker)
    parts = []
    for place, block in enumerate(blocks):
        if place:
            parts.append("\n" if LIST.match(block) else "\n\n")
        elif not is_paragraph(block) and not LIST.match(block):
            parts.append("\n")
        parts.append(indent_lines(block, indent))
    text = "".join(parts)
    first = text[len(indent) :] if not text.startswith("\n") else text
    return (marker if not text.startswith("\n") else marker.rstrip()) + first


def indent_lines(block: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in block.split("\n"))


def separate_code(block: str) -> tuple[str, list[str]]:
    """Return the text of a block, and the fenced code in it."""
    if "```" not in block:
        return block, []
    text: list[str] = []
    code: list[str] = []
    fence: list[str] = []
    indent, marks = 0, ""
    for line in block.split("\n"):
        if fence:
            fence.append(line[indent:])
            if line[indent:] == marks:
                code.append("\n".join(fence))
                fence = []
        elif found := FENCE.fullmatch(line):
            indent, marks = len(found["indent"]), found["marks"]
            fence = [line[indent:]]
        else:
            text.append(line)
    return "\n".join(text), code
