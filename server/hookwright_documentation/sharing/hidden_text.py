"""Remove page text that people would not see but agents would read.

Pages from the cutter have no HTML outside code, but pages in a handwritten archive may. Comments,
hidden elements and link titles are removed. The following stay as literal text: other HTML, links
in forms that the cutter does not write, code marks that are not closed on the same line, images,
and cells beyond a table's columns. Code is kept unchanged, so a fake fence could hide the text
inside it. Code blocks are therefore located like a markdown renderer locates them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lxml import etree

from hookwright_console.errors import RefusedError
from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting.markdown import CODE
from hookwright_documentation.cutting.visibility import find_look, is_hidden
from hookwright_documentation.pages import Page
from hookwright_documentation.sharing.manifest import MAX_DEFINITIONS, MAX_NESTING, MAX_PARSED

# A code block outside lists, as delimited by the cutter; without an end, only a parser can find it.
PLAIN = re.compile(
    r"^(?P<marks>`{3,})[^`\n]*\n(?:(?![ \t]*(?P=marks)).*\n)*(?P<end>(?P=marks)$)?", re.MULTILINE
)
# Markers that may precede a line in a list or block quote.
MARKS = r"[ \t>*+\-\d.)]*"
# Any mark that may begin or end a code block in a list or quote, or in another notation.
MAY_BE_FENCE = re.compile(rf"^{MARKS}(?:```|~~~)", re.MULTILINE)
# Any text that may define a link; many lines of code resemble a link definition.
MAY_DEFINE = re.compile(rf"^{MARKS}\[(?:\\[\s\S]|[^\[\]\\])*\]:", re.MULTILINE)
NESTED = re.compile(rf"^{MARKS}", re.MULTILINE)
MARK = re.compile(r"[>*+\-.)]")

TAG = r"[A-Za-z][A-Za-z0-9-]*"
REST = r"(?:[\s/][^<>]*)?"  # the rest of a tag
# A comment; a link whose title appears only on hover; a link as written by the cutter; a tag; and
# marks of other tags, links and multi-line code, which parsers may interpret differently.
PART = re.compile(
    rf"\\.|{CODE}|(?P<comment><!--[\s\S]*?(?:-->|\Z)|^ {{0,3}}\[[^\]\n]{{0,40}}\]: {{0,3}}(?:#|<>)"
    r"(?=[ \t\n(]|\Z)[^\n]*)"
    r"|(?P<link>\]\((?:<[^<>\n]*>|[^()\s<>]*))[ \t\n]+"
    r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))[ \t\n]*(?=\))"
    r"|\]\((?:<[^<>\n`\\]*>|[^()\s<>`\\]*)\)"
    rf"|<(?P<tag>{TAG})(?P<attributes>{REST})>|</(?P<end>{TAG}){REST}>"
    r"|(?P<mark><(?=[A-Za-z/!?]|[^\s<>@]+@)|\](?=\()|`|!(?=\[))",
    re.MULTILINE,
)
EMPTY = frozenset(("br", "hr", "img", "input", "link", "meta", "source", "wbr"))
# The first line of a code block: text after the language is not displayed.
FENCED = re.compile(
    rf"(?P<fence>{MARKS}(?:`{{3,}}|~{{3,}})[ \t]*(?:[\w+#.-]{{1,20}}(?!\S))?)(?P<unseen>[\s\S]*)"
)
# The line below a table's header: cells beyond its columns are not displayed.
COLUMNS = re.compile(r"[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
DASHES = re.compile("-+")
CELL = re.compile(rf"\\.|{CODE}|(?P<mark>\|)")
CELL_MARK = re.compile(r"(?<!\\)\|")  # ends a cell, even inside code
HIDING_MARKS = ("<", "](", "]:", "```", "~~~", "|", "![")  # text without these marks hides nothing
Ranges = list[tuple[int, int]]  # first line, and the line after the last, in ascending order
PASSES = 6  # maximum passes over a page; pages from the cutter need only one


@dataclass
class DroppedText:
    """Counts of what was removed from pages, and of what a parser has read."""

    characters: int = 0  # invisible ones
    texts: int = 0
    pages: int = 0  # with anything removed or escaped
    parsed: int = 0  # lines, and the list and quote markers before them

    def __bool__(self) -> bool:
        return self.pages > 0


def drop_hidden(page: Page, dropped: DroppedText) -> Page:
    """Return a page without invisible text, which is counted; raises like `drop_texts`."""
    seen = {name: remove_hidden(getattr(page, name)) for name in ("title", "version", "text")}
    lengths = (len(getattr(page, name)) - len(kept) for name, kept in seen.items())
    dropped.characters += sum(lengths)
    kept = replace(page, **seen)
    kept = replace(kept, text=drop_texts(kept.text, dropped))
    dropped.pages += kept != page
    return kept


def drop_texts(text: str, dropped: DroppedText) -> str:
    """Return markdown without hidden text and link definitions, which are counted.

    Raises RefusedError if each pass reveals more hidden text, or if parsing would take too long.
    """
    for _ in range(PASSES):  # the remaining text may be parsed differently
        before, text = text, drop_once(text, dropped)
        if text == before:
            return text
    raise RefusedError("nests hidden text too deeply")


def drop_once(text: str, dropped: DroppedText) -> str:
    if not any(mark in text for mark in HIDING_MARKS):
        return text
    (fenced, definitions), lines = find_blocks(text, dropped), text.split("\n")
    if definitions:  # the cutter writes only inline links
        dropped.texts += len(definitions)
        for begin, end in reversed(definitions):
            lines[begin:end] = [""]
        return "\n".join(lines)
    parts, at = list[str](), 0
    for begin, end in fenced:
        if at < begin:
            parts.append(drop_from_prose("\n".join(lines[at:begin]), dropped))
        opening = FENCED.fullmatch(lines[begin])
        if opening and opening["unseen"].strip():
            lines[begin] = opening["fence"].rstrip()
            dropped.texts += 1
        parts += lines[begin:end]
        at = end
    if at < len(lines):
        parts.append(drop_from_prose("\n".join(lines[at:]), dropped))
    return "\n".join(parts)


def drop_from_prose(text: str, dropped: DroppedText) -> str:
    text = "\n".join(join_cells(text.split("\n")))
    kept: list[str] = []
    at = depth = 0
    hidden = ""  # name of the element being removed
    for part in PART.finditer(text):
        tag, end = (part["tag"] or "").lower(), (part["end"] or "").lower()
        is_hidden = bool(tag) and not hidden and hides(tag, part["attributes"])
        if hidden:
            depth += (tag == hidden) - (end == hidden)
            if not depth:
                hidden, at = "", part.end()
        elif part["comment"] is not None or part["link"] or is_hidden:
            kept.append(text[at : part.end("link") if part["link"] else part.start()])
            at = part.end()
            dropped.texts += 1
            if is_hidden and tag not in EMPTY and not part["attributes"].endswith("/"):
                hidden, depth = tag, 1
        elif tag or end or part["mark"]:
            kept.append(text[at : part.start()] + "\\")
            at = part.start()
    return "".join(kept) + ("" if hidden else text[at:])


def join_cells(lines: Sequence[str]) -> Iterator[str]:
    columns = 0
    for line in lines:
        dashes = len(DASHES.findall(line)) if COLUMNS.fullmatch(line) else 0
        is_row = columns and line.strip(" \t>")
        yield join_row(line, columns) if is_row else line
        columns = min(columns, dashes or columns) if is_row else dashes  # may begin another table


def join_row(line: str, columns: int) -> str:
    """Return a table row without surplus cells and without code spans that end in a cell."""
    seen, end = 0, len(line.rstrip())

    def escape(found: re.Match[str]) -> str:
        nonlocal seen
        if found["code"]:
            return CELL_MARK.sub(r"\\|", found[0])
        if not found["mark"]:
            return found[0]
        seen += 1
        return "|" if seen < columns or start + found.end() == end else "\\|"

    start = len(line) - len(line.lstrip(" \t>").removeprefix("|"))
    return line[:start] + CELL.sub(escape, line[start:])


def hides(tag: str, attributes: str) -> bool:
    element = etree.fromstring(f"<p{attributes}>", etree.HTMLParser()).find(".//p")
    if element is None:
        return False
    element.tag = tag
    look = find_look(element, {})
    return is_hidden(element, look) or not look.shows_text


def find_blocks(text: str, dropped: DroppedText) -> tuple[Ranges, Ranges]:
    """Return the positions of code blocks and link definitions; raises RefusedError."""
    blocks, prose = list(PLAIN.finditer(text)), PLAIN.sub("", text)
    is_plain = all(block["end"] for block in blocks) and not MAY_BE_FENCE.search(prose)
    defined = len(MAY_DEFINE.findall(prose if is_plain else text))
    if defined > MAX_DEFINITIONS:
        raise RefusedError(f"has {defined:,} link definitions, more than {MAX_DEFINITIONS:,}")
    if defined or not is_plain:
        nested = (min(len(MARK.findall(marks)), MAX_NESTING) for marks in NESTED.findall(text))
        dropped.parsed += sum(1 + marks for marks in nested)
        if dropped.parsed > MAX_PARSED:
            raise RefusedError(
                f"has, with the pages before it, {dropped.parsed:,} lines and list markers that "
                f"only a parser can read, more than {MAX_PARSED:,}"
            )
        return parse_blocks(text)
    spans: Ranges = []
    at = line = 0
    for block in blocks:
        begin = line + text.count("\n", at, block.start())
        at, line = block.end(), begin + block[0].count("\n")
        spans.append((begin, line + 1))
    return spans, []


def parse_blocks(text: str) -> tuple[Ranges, Ranges]:
    from markdown_it import MarkdownIt

    found: dict[str, Any] = {}
    tokens = MarkdownIt("commonmark").disable("inline").parse(text, found)
    fenced = [
        (token.map[0], token.map[1]) for token in tokens if token.type == "fence" and token.map
    ]
    references = [*found.get("references", {}).values(), *found.get("duplicate_refs", ())]
    return fenced, sorted((reference["map"][0], reference["map"][1]) for reference in references)
