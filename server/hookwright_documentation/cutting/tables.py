"""Write tables as rows, with each cell in its header's column."""

import re
from collections.abc import Callable, Iterator

from lxml.etree import _Element

from hookwright_documentation.cutting.elements import read_text

MAX_COLUMNS = 60
MAX_SPAN = 1_000  # maximum rows or columns per cell
MAX_REPEATED = 200  # characters; longer text of a spanning cell is not repeated in its rows
HELD = ("p", "pre", "div")  # elements that indicate a layout table
SPAN = re.compile(r"[0-9]{1,5}\Z")
SEE_CODE = "(code below)"
Row = tuple[list[str], list[str]]  # cell texts, and their fenced code
Cell = tuple[str, list[str]]  # text in one line, and fenced code


def is_layout(table: _Element) -> bool:
    """Return whether a table is only for layout, such as line numbers, notes or frames."""
    if table.get("role") in ("presentation", "none"):
        return True
    rows = list(list_rows(table))
    if any(cell.tag == "th" for row in rows for cell in row):
        return False
    if table.find(".//table") is not None and len(rows) <= 1:
        return True
    shown = [[cell for cell in row if read_text(cell).strip()] for row in rows]
    return all(len(row) <= 1 for row in shown) or (
        len(rows) == 1
        and "class" in table.attrib
        and any(cell.find(f".//{tag}") is not None for cell in rows[0] for tag in HELD)
    )


def list_rows(table: _Element) -> Iterator[list[_Element]]:
    for part in table:
        for row in part if part.tag in ("thead", "tbody", "tfoot") else [part]:
            if row.tag == "tr":
                yield [cell for cell in row if cell.tag in ("td", "th")]


def write_table(table: _Element, write_cell: Callable[[_Element], Cell]) -> list[str]:
    rows = fill(table, write_cell)
    heads = count_heads(table)
    width = max((len(texts) for texts, _ in rows), default=0)
    head = [""] * width
    for texts, _ in rows[:heads]:
        for column, text in enumerate(texts):
            above = head[column]
            head[column] = text if above in ("", text) else f"{above} {text}".strip()
    top = [write_row(head), "|" + "---|" * width]
    blocks = [block for _, code in rows[:heads] for block in code]
    lines: list[str] = []
    for texts, code in rows[heads:]:
        if any(texts):
            lines.append(write_row(texts + [""] * (width - len(texts))))
        if code:
            blocks += ["\n".join(top + lines), *code] if lines else code
            lines = []
    if lines or (any(head) and len(rows) == heads):
        blocks.append("\n".join(top + lines))
    return blocks


def count_heads(table: _Element) -> int:
    first = next(list_rows(table), [])
    is_head = bool(first) and all(cell.tag == "th" for cell in first)
    return len(table.findall("thead/tr")) or int(is_head)


def fill(table: _Element, write_cell: Callable[[_Element], Cell]) -> list[Row]:
    rows: list[Row] = []
    reaching: dict[int, tuple[int, str]] = {}  # by column: remaining rows, and text
    for cells in list_rows(table):
        texts: list[str] = []
        code: list[str] = []
        for cell in cells:
            reach(texts, reaching)
            text, blocks = write_cell(cell)
            code += blocks
            room = MAX_COLUMNS - len(texts)
            if not room:
                texts[-1] += f" {text}"
            rest = read_span(cell, "rowspan") - 1
            for column in range(min(read_span(cell, "colspan"), room)):
                if rest > 0:
                    is_short = not column and len(text) <= MAX_REPEATED
                    reaching[len(texts)] = rest, text if is_short else ""
                texts.append("" if column else text)
        reach(texts, reaching)
        rows.append((texts, code))
    return rows


def reach(texts: list[str], reaching: dict[int, tuple[int, str]]) -> None:
    while len(texts) in reaching:
        rest, text = reaching.pop(len(texts))
        if rest > 1:
            reaching[len(texts)] = rest - 1, text
        texts.append(text)


def read_span(cell: _Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return min(max(int(value), 1), MAX_SPAN) if SPAN.match(value) else 1


def write_row(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def join_rows(block: str) -> str:
    if not block.startswith("| "):
        return block
    rows = (line[2:-2].split(" | ") for line in block.split("\n") if not line.startswith("|---"))
    texts = (", ".join(filter(None, map(str.strip, row))) for row in rows)
    return "; ".join(filter(None, texts))
