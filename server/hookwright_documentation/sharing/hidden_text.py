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

# A code block outside lists, as delimited by the cutter.
PLAIN = re.compile(r"(?P<marks>`{3,})[^`]*")
# Markers that may precede a line in a list or block quote.
MARKS = r"[ \t>*+\-\d.)]*"
# Any mark that may begin or end a code block in a list or quote, or in another notation.
MAY_BE_FENCE = re.compile(rf"{MARKS}(?:```|~~~)")
# Any text that may define a link; many lines of code resemble a link definition.
MAY_DEFINE = re.compile(rf"^{MARKS}\[(?:\\[\s\S]|[^\[\]\\])*\]:", re.MULTILINE)
NESTED = re.compile(rf"^{MARKS}", re.MULTILINE)
MARK = re.compile(r"[>*+\-.)]")

TAG = r"[A-Za-z][A-Za-z0-9-]*"
REST = r"(?:[\s/][^<>]*)?"  # the rest of a tag
PART = re.compile(
    rf"\\.|{CODE}|(?P<comment><!--[\s\S]*?(?:-->|\Z)|^ {{0,3}}\[[^\]\n]{{0,40}}\]: {{0,3}}(?:#|<>)"
    rf"(?=[ \t\n(]|\Z)[^\n]*)|<(?P<tag>{TAG})(?P<attributes>{REST})>"
    rf"|</(?P<end>{TAG}){REST}>"
    r"|(?P<mark><)(?=[A-Za-z/!?]|[^\s<>@]+@)",
    re.MULTILINE,
)
EMPTY = frozenset(("br", "hr", "img", "input", "link", "meta", "source", "wbr"))


# A link whose title appears only on hover; a link as written by the cutter; and marks of other
# links and of multi-line code, which parsers may interpret differently.
LINK = re.compile(
    rf"\\.|{CODE}|(?P<titled>\]\((?:<[^<>\n]*>|[^()\s<>]*))[ \t\n]+"
    r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))[ \t\n]*\)"
    r"|\]\((?:<[^<>\n`\\]*>|[^()\s<>`\\]*)\)|(?P<mark>\](?=\()|`|!(?=\[))"
)
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
Ranges = Sequence[tuple[int, int]]  # first line, and the line after the last, in ascending order
PASSES = 6  # maximum passes over a page; pages from the cutter need only one


class ParserUse:
    """How much of an archive the parser has read."""

    def __init__(self) -> None:
        self._read = 0

    def add(self, text: str) -> None:
        """Count a text before it is parsed; raises RefusedError if that would exceed the limit."""
        nested = (min(len(MARK.findall(marks)), MAX_NESTING) for marks in NESTED.findall(text))
        self._read += sum(1 + marks for marks in nested)
        if self._read > MAX_PARSED:
            raise RefusedError(
                f"has, with the pages before it, {self._read:,} lines and list markers that only "
                f"a parser can read, more than {MAX_PARSED:,}"
            )


@dataclass(frozen=True)
class DroppedText:
    """What was removed: invisible characters, hidden texts, and the number of affected pages."""

    characters: int = 0
    texts: int = 0
    pages: int = 0

    def __bool__(self) -> bool:
        return self.pages > 0

    def __add__(self, other: "DroppedText") -> "DroppedText":
        return DroppedText(
            self.characters + other.characters, self.texts + other.texts, self.pages + other.pages
        )


def drop_hidden(page: Page, use: ParserUse | None = None) -> tuple[Page, DroppedText]:
    """Return a page without invisible text, and the removed text; raises like `drop_texts`."""
    seen = {name: remove_hidden(getattr(page, name)) for name in ("title", "version")}
    text = remove_hidden(page.text)
    characters = len(page.text) - len(text)
    characters += sum(len(getattr(page, name)) - len(kept) for name, kept in seen.items())
    text, texts = drop_texts(text, use)
    if not characters and text == page.text:
        return page, DroppedText()
    return replace(page, **seen, text=text), DroppedText(characters, texts, 1)


def drop_texts(text: str, use: ParserUse | None = None) -> tuple[str, int]:
    """Return markdown without hidden text and link definitions, and the number of removed texts.

    Raises RefusedError if each pass reveals more hidden text, or if parsing would take too long.
    """
    use = use or ParserUse()
    dropped = 0
    for _ in range(PASSES):  # the remaining text may be parsed differently
        kept, number = drop_once(text, use)
        if kept == text:
            return text, dropped
        text = kept
        dropped += number
    raise RefusedError("nests hidden text too deeply")


def drop_once(text: str, use: ParserUse) -> tuple[str, int]:
    if not any(mark in text for mark in HIDING_MARKS):
        return text, 0
    (fenced, definitions), lines = find_blocks(text, use), text.split("\n")
    if definitions:  # the cutter writes only inline links
        return "\n".join(cut_out(lines, definitions)), len(definitions)
    parts, at, dropped = list[str](), 0, 0
    for begin, end in [*fenced, (len(lines), len(lines))]:
        if at < begin:
            kept, number = drop_from_prose("\n".join(lines[at:begin]))
            parts.append(kept)
            dropped += number
        if (
            begin < end
            and (opening := FENCED.fullmatch(lines[begin]))
            and opening["unseen"].strip()
        ):
            lines[begin] = opening["fence"].rstrip()
            dropped += 1
        parts += lines[begin:end]
        at = end
    return "\n".join(parts), dropped


def drop_from_prose(text: str) -> tuple[str, int]:
    text, dropped = drop_titles("\n".join(join_cells(text.split("\n"))))
    kept: list[str] = []
    at = depth = 0
    hidden = ""  # name of the element being removed
    for part in PART.finditer(text):
        tag, end = (part["tag"] or "").lower(), (part["end"] or "").lower()
        if hidden:
            depth += (tag == hidden) - (end == hidden)
            if not depth:
                hidden, at = "", part.end()
        elif part["comment"] is not None:
            kept.append(text[at : part.start()])
            at, dropped = part.end(), dropped + 1
        elif tag and hides(tag, part["attributes"]):
            kept.append(text[at : part.start()])
            at, dropped = part.end(), dropped + 1
            if tag not in EMPTY and not part["attributes"].endswith("/"):
                hidden, depth = tag, 1
        elif tag or end or part["mark"]:
            kept.append(text[at : part.start()] + "\\")
            at = part.start()
    return "".join(kept) + ("" if hidden else text[at:]), dropped


def join_cells(lines: Sequence[str]) -> Iterator[str]:
    columns = 0
    for line in lines:
        if columns and line.strip(" \t>"):
            yield join_row(line, columns)
        else:
            columns = len(DASHES.findall(line)) if COLUMNS.fullmatch(line) else 0
            yield line


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


def drop_titles(text: str) -> tuple[str, int]:
    """Return markdown without link titles and with other links as text, and the number of titles.

    The markdown must not include code blocks.
    """
    dropped = 0

    def drop(found: re.Match[str]) -> str:
        nonlocal dropped
        if found["titled"] is None:
            return "\\" + found[0] if found["mark"] else found[0]
        dropped += 1
        return found["titled"] + ")"

    return LINK.sub(drop, text), dropped


def hides(tag: str, attributes: str) -> bool:
    element = etree.fromstring(f"<p{attributes}>", etree.HTMLParser()).find(".//p")
    if element is None:
        return False
    element.tag = tag
    look = find_look(element, {})
    return is_hidden(element, look) or not look.shows_text


def find_blocks(text: str, use: ParserUse) -> tuple[Ranges, Ranges]:
    """Return the positions of code blocks and link definitions; raises RefusedError."""
    if "]:" not in text and "```" not in text and "~~~" not in text:
        return (), ()
    lines = text.split("\n")
    plain = find_plain(lines)
    prose = "\n".join(cut_out(lines, plain or ())) if "]:" in text else ""
    defined = len(MAY_DEFINE.findall(prose))
    if defined > MAX_DEFINITIONS:
        raise RefusedError(f"has {defined:,} link definitions, more than {MAX_DEFINITIONS:,}")
    if plain is not None and not defined:
        return plain, ()
    use.add(text)
    return parse_blocks(text)


def cut_out(lines: Sequence[str], spans: Ranges) -> Iterator[str]:
    at = 0
    for begin, end in spans:
        yield from lines[at:begin]
        yield ""
        at = end
    yield from lines[at:]


def find_plain(lines: list[str]) -> list[tuple[int, int]] | None:
    """Return the ranges of code blocks, or None if only a parser can find them."""
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


def parse_blocks(text: str) -> tuple[Ranges, Ranges]:
    from markdown_it import MarkdownIt

    found: dict[str, Any] = {}
    tokens = MarkdownIt("commonmark").disable("inline").parse(text, found)
    fenced = [
        (token.map[0], token.map[1]) for token in tokens if token.type == "fence" and token.map
    ]
    references = [*found.get("references", {}).values(), *found.get("duplicate_refs", ())]
    return fenced, sorted((reference["map"][0], reference["map"][1]) for reference in references)
