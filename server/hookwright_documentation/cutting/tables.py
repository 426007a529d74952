"""Write tables as rows, with each cell in its header's column."""

import re
from collections.abc import Callable, Iterator
from itertools import chain

from lxml.etree import _Element

from hookwright_documentation.cutting.elements import read_text

MAX_COLUMNS = 60
MAX_REPEATED = 200  # characters; longer text of a spanning cell is not repeated in its rows
HELD = ("p", "pre", "div")  # elements that indicate a layout table
SPAN = re.compile(r"[0-9]{1,5}\Z")
SEE_CODE = "(code below)"
Cell = tuple[str, list[str]]  # text in one line, and fenced code


def is_layout(table: _Element) -> bool:
    """Return whether a table is only for layout, such as line numbers, notes or frames."""
    if table.get("role") in ("presentation", "none"):
        return True
    rows = list(list_rows(table))
    if any(cell.tag == "th" for row in rows for cell in row):
        return False
    tags = ("table", *HELD) if "class" in table.attrib else ("table",)
    held = (table.find(f".//{tag}") is not None for tag in tags)
    shown = [[cell for cell in row if read_text(cell).strip()] for row in rows]
    return all(len(row) <= 1 for row in shown) or (len(rows) == 1 and any(held))


def list_rows(table: _Element) -> Iterator[list[_Element]]:
    for part in table:
        for row in part if part.tag in ("thead", "tbody", "tfoot") else [part]:
            if row.tag == "tr":
                yield [cell for cell in row if cell.tag in ("td", "th")]


def write_table(table: _Element, write_cell: Callable[[_Element], Cell]) -> list[str]:
    rows, code = fill(table, write_cell)
    heads = len(table.findall("thead/tr"))
    if not heads and (first := next(list_rows(table), [])):
        heads = int(all(cell.tag == "th" for cell in first))
    width = max(map(len, rows), default=0)
    head = [
        " ".join(dict.fromkeys(filter(None, texts))) for texts in zip(*rows[:heads], strict=True)
    ]
    top = [write_row(head or [""] * width), "|" + "---|" * width]
    blocks = list(chain(*code[:heads]))
    lines: list[str] = []
    for texts, fenced in zip(rows[heads:], code[heads:], strict=True):
        if any(texts):
            lines.append(write_row(texts))
        if fenced:
            blocks += ["\n".join(top + lines), *fenced] if lines else fenced
            lines = []
    if lines or (any(head) and len(rows) == heads):
        blocks.append("\n".join(top + lines))
    return blocks


def fill(
    table: _Element, write_cell: Callable[[_Element], Cell]
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the texts of each row's columns, and the fenced code of its cells."""
    rows = list(list_rows(table))
    grid: list[dict[int, str]] = [{} for _ in rows]  # texts by column
    code: list[list[str]] = [[] for _ in rows]
    for place, cells in enumerate(rows):
        for cell in cells:
            text, blocks = write_cell(cell)
            code[place] += blocks
            column = next((new for new in range(MAX_COLUMNS) if new not in grid[place]), -1)
            if column < 0:
                grid[place][MAX_COLUMNS - 1] += f" {text}"
                continue
            beside = range(column + 1, min(column + read_span(cell, "colspan"), MAX_COLUMNS))
            repeated = text if len(text) <= MAX_REPEATED else ""
            for row in grid[place : place + read_span(cell, "rowspan")]:
                row.update({column: repeated, **dict.fromkeys(beside, "")})
            grid[place][column] = text
    width = max((max(row, default=-1) for row in grid), default=-1) + 1
    return [[row.get(column, "") for column in range(width)] for row in grid], code


def read_span(cell: _Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(int(value), 1) if SPAN.match(value) else 1


def write_row(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def join_rows(block: str) -> str:
    if not block.startswith("| "):
        return block
    rows = (line[2:-2].split(" | ") for line in block.split("\n") if not line.startswith("|---"))
    texts = (", ".join(filter(None, map(str.strip, row))) for row in rows)
    return "; ".join(filter(None, texts))
