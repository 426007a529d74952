"""Write a page's main content as blocks of markdown."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

from lxml.etree import _Element

from hookwright_documentation.cutting import elements, markdown, tables
from hookwright_documentation.cutting.code_blocks import lay_out_code, write_code_block
from hookwright_documentation.cutting.definitions import find_definitions
from hookwright_documentation.cutting.elements import read_text
from hookwright_documentation.cutting.inline_text import (
    InlineWriter,
    clean,
    finish_line,
    finish_paragraph,
    write_text,
)
from hookwright_documentation.cutting.main_content import MENUS, is_navigation_line

WORDS = re.compile(r"\w+(?:[\s',-]+\w+)+")
WHOLE = ("pre", "table")  # tags whose element can be a complete signature
TITLES = ("admonition-title", "rubric", "sidebar-title", "topic-title", "title")
MAX_PAGE = 20_000_000  # characters
MAX_DEPTH = 120  # levels of nested elements; deeper content is written as plain text
Emit = Callable[[str], None]
NO_PARAGRAPH = re.compile(r" *(?:`{3,}[^`\n]*$|\||-( |$)|\d+\. |> )", re.MULTILINE)
LIST = re.compile(r"-\s|\d+\. ")


class PageWriter:
    """Writes one page's main content as blocks of markdown."""

    def __init__(
        self, main: _Element, linked: Collection[str] = (), base: str = "", room: int = MAX_PAGE
    ) -> None:
        self.blocks: list[str] = []
        self.room = room
        self.inline = InlineWriter(base)
        self.sections = markdown.SectionStack()
        self.anchors: list[str] = []  # anchors found since the last written block
        lay_out_code(main)
        self.signatures, self.scopes = find_definitions(main, linked)
        self.holders = elements.find_holders(main)
        self.signature: list[_Element] = []  # elements of the signature on the next line
        self.level = 0  # level of the scope's open definition, or 0
        self.scope = main
        # Whether nested scopes and headings belong to the scope's definition.
        self.nests = self.scopes.get(main, True)
        self.write_flow(main, self.emit, 0)

    def emit(self, block: str) -> None:
        self.blocks += self.sections.return_to_current()
        self.blocks.append(block)

    def write_flow(self, element: _Element, emit: Emit, depth: int) -> None:
        if depth > MAX_DEPTH:
            self.end_paragraph([write_text(read_text(element))], emit)
            return
        line = [write_text(element.text)] if element.text else []
        for child in element:
            if anchor := elements.find_anchor(child):
                self.anchors.append(anchor)
            if child in self.signatures:
                self.end_paragraph(line, emit)
                line = []
                self.signature = [child] if emit == self.emit else []
            if child.tag in WHOLE and child in self.signature:
                self.begin_definition(write_signature(read_text(child)))
            elif child.tag in elements.BLOCKS or child in self.holders:
                self.end_paragraph(line, emit)
                line = []
                self.write_block(child, emit, depth + 1)
            else:
                line.append(self.inline.write(child))
            if child.tail:
                line.append(write_text(child.tail))
        self.end_paragraph(line, emit)

    def end_paragraph(self, line: list[str], emit: Emit) -> None:
        if not (inline := "".join(line)) or inline.isspace():
            return
        paragraph = finish_paragraph(inline)
        if self.signature and emit == self.emit:
            self.begin_definition(write_signature(markdown.strip_markup(finish_line(inline))))
        elif not is_navigation_line(paragraph, within=emit != self.emit):
            self.emit_all([paragraph], emit)

    @contextmanager
    def in_scope(self, scope: _Element, *, nests: bool) -> Iterator[None]:
        before = self.level, self.nests, self.scope
        around = self.sections.enter()
        self.level, self.nests, self.scope = 0, nests, scope
        yield
        self.sections.leave(around)
        self.level, self.nests, self.scope = before

    def begin_definition(self, title: str) -> None:
        self.end_definition()
        floor = self.sections.floor
        level, ends = self.sections.begin_inner()
        self.open_section(level, ends, title)
        self.level = level
        if not self.nests:
            self.sections.floor = floor

    def end_definition(self) -> None:
        """End the scope's last definition, so that the next block does not belong to it."""
        if self.level:
            around = sum(level < self.level for level in self.sections.levels)
            self.sections.leave((around, self.sections.floor))
            self.level = 0

    def open_section(self, level: int, ends: list[str], title: str) -> None:
        """Write the signature as a section heading, or as a bold line if `level` is 0."""
        anchors = [anchor for part in self.signature for anchor in elements.list_anchors(part)]
        below = [anchor for part in self.signature for anchor in elements.list_below(part)]
        anchors += [*reversed(self.anchors), *below]
        self.signature = []
        self.anchors.clear()
        if level:
            self.blocks += [*ends, markdown.write_heading(level, title, anchors)]
        else:
            self.emit(f"**{title}**")

    def write_block(self, element: _Element, emit: Emit, depth: int) -> None:
        if element in self.scopes and emit == self.emit:
            if not self.nests:
                self.end_definition()
            with self.in_scope(element, nests=self.scopes[element]):
                self.write_content(element, emit, depth)
        elif self.room >= 0:
            self.write_content(element, emit, depth)

    def write_content(self, element: _Element, emit: Emit, depth: int) -> None:
        tag = element.tag
        if tag in elements.HEADING_TAGS:
            self.write_heading(element, emit)
        elif tag == "pre":
            self.emit_all([write_code_block(element)], emit)
        elif tag == "table":
            self.write_table(element, emit, depth)
        elif tag in elements.LISTS:
            self.emit_all([self.write_list(element, depth)], emit)
        elif tag == "dl":
            self.write_terms(element, emit, depth)
        elif tag == "blockquote":
            self.emit_all(self.write_quote(element, depth), emit)
        elif tag == "p" and elements.has_class(element, *TITLES):
            title = finish_line(self.inline.write_content(element))
            self.emit_all([f"**{title}**" if title else ""], emit)
        elif tag != "hr":
            self.write_flow(element, emit, depth)

    def emit_all(self, blocks: Iterable[str], emit: Emit) -> None:
        for block in blocks:
            self.room -= len(block)
            if block and self.room >= 0:
                self.anchors.clear()
                emit(block)

    def write_heading(self, heading: _Element, emit: Emit) -> None:
        """Write a heading with its anchors, or a bold line where no section can begin."""
        self.signature = []
        title = finish_line(self.inline.write_content(heading, linked=False))
        is_menu = emit == self.emit and " " in title and MENUS.fullmatch(title.lower())
        if not title or is_menu:
            self.anchors += elements.list_anchors(heading)
        elif emit != self.emit or not elements.begins_section(heading) or self.labels(heading):
            self.emit_all([f"**{title}**"], emit)
        else:
            level, ends = self.sections.begin(int(heading.tag[1]))
            self.level = 0 if level <= self.level else self.level
            self.signature = [heading]
            self.open_section(level, ends, title)

    def labels(self, heading: _Element) -> bool:
        """Return whether a heading labels a part of the definition above it."""
        is_nested = self.level and not self.nests and heading.getparent() is not self.scope
        return bool(is_nested) and not self.anchors and not elements.list_anchors(heading)

    def write_terms(self, terms: _Element, emit: Emit, depth: int) -> None:
        items: list[str] = []
        for names, bodies in elements.group_terms(terms):
            own = filter(elements.is_term, names) if emit == self.emit else ()
            anchored = any(map(elements.list_anchors, own))
            if items and anchored:
                self.emit_all(["\n".join(items)], emit)
                items = []
            if anchored:
                self.signature = names
                with self.in_scope(terms, nests=True):
                    self.begin_definition(", ".join(map(write_signature, map(read_text, names))))
                    self.level = 0  # definitions in its description must not end it
                    for body in bodies:
                        self.write_block(body, emit, depth + 1)
            else:
                items.append(self.write_term_item(names, bodies, depth))
        self.emit_all(["\n".join(filter(None, items))], emit)

    def join_terms(self, names: list[_Element]) -> str:
        terms = (finish_line(self.inline.write_content(name, linked=False)) for name in names)
        return ", ".join(filter(None, terms))

    def write_term_item(self, names: list[_Element], bodies: list[_Element], depth: int) -> str:
        title = self.join_terms(names)
        blocks = [block for body in bodies for block in self.write_inner(body, depth)]
        if title and blocks and is_paragraph(blocks[0]):
            blocks[0] = f"{title}{'' if title.endswith(':') else ':'} {blocks[0]}"
        elif title:
            blocks.insert(0, title)
        return write_item("- ", blocks)

    def write_list(self, items: _Element, depth: int) -> str:
        written: list[str] = []
        number = int(start) if (start := items.get("start") or "1").isdecimal() else 1
        for item in items:
            blocks = self.write_inner(item, depth)
            if not blocks:
                continue
            if item.tag == "li":
                written.append(write_item(f"{number}. " if items.tag == "ol" else "- ", blocks))
                number += 1
            else:  # a list nested directly in a list, without a list item
                written.append(write_item("  ", blocks))
            if item.tail and item.tail.strip():
                written.append(write_item("- ", [finish_paragraph(write_text(item.tail))]))
        return "\n".join(written)

    def write_inner(self, element: _Element, depth: int) -> list[str]:
        blocks: list[str] = []
        is_block = element.tag in elements.LISTS or element.tag == "table"
        write = self.write_block if is_block else self.write_flow
        write(element, blocks.append, depth + 1)
        return blocks

    def write_quote(self, quote: _Element, depth: int) -> list[str]:
        blocks = self.write_inner(quote, depth)
        if not all(map(is_paragraph, blocks)):
            return blocks
        return ["\n>\n".join("> " + block.replace("\n", "\n> ") for block in blocks)]

    def write_table(self, table: _Element, emit: Emit, depth: int) -> None:
        """Write a table as rows, or only its cells' content if the table is just for layout."""
        if depth > MAX_DEPTH or tables.is_layout(table):
            self.write_flow(table, emit, depth)
            return
        caption = table.find("caption")
        if caption is not None:
            self.end_paragraph([self.inline.write_content(caption)], emit)
        self.emit_all(tables.write_table(table, lambda cell: self.write_cell(cell, depth)), emit)

    def write_cell(self, cell: _Element, depth: int) -> tables.Cell:
        texts: list[str] = []
        code: list[str] = []
        for block in self.write_inner(cell, depth + 1):
            kept, fenced = separate_code(block)
            texts += [tables.join_rows(kept), *([tables.SEE_CODE] if fenced else [])]
            code += fenced
        text = " ".join(" ".join(texts).split())
        return text, code


def write_signature(text: str) -> str:
    title = finish_line(clean(text))
    write = markdown.escape_text if WORDS.fullmatch(title) else markdown.write_code_span
    return write(title)


def is_paragraph(block: str) -> bool:
    return not NO_PARAGRAPH.match(block)


def write_item(marker: str, blocks: list[str]) -> str:
    if not blocks:
        return ""
    indent = " " * len(marker)
    parts = []
    for place, block in enumerate(blocks):
        if place:
            parts.append("\n" if LIST.match(block) else "\n\n")
        elif not is_paragraph(block) and not LIST.match(block):
            parts.append("\n")
        parts.append("\n".join(indent + line if line else line for line in block.split("\n")))
    text = "".join(parts)
    return marker.rstrip() + text if text.startswith("\n") else marker + text[len(indent) :]


def separate_code(block: str) -> tuple[str, list[str]]:
    code = [
        "\n".join(line[len(found["indent"]) :] for line in found[0].split("\n"))
        for found in markdown.FENCED.finditer(block)
    ]
    return markdown.FENCED.sub("", block), code
