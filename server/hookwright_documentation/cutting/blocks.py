"""Write a page's main content as blocks of markdown."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import elements, markdown, tables
from hookwright_documentation.cutting.code_blocks import lay_out_code, write_code_block
from hookwright_documentation.cutting.definitions import find_definitions
from hookwright_documentation.cutting.elements import read_text
from hookwright_documentation.cutting.inline_text import (
    InlineWriter,
    clean_inline,
    finish_line,
    finish_paragraph,
    write_text,
)
from hookwright_documentation.cutting.main_content import MENUS, is_navigation_line

WORDS = re.compile(r"\w+(?:[\s',-]+\w+)+")
WHOLE = ("pre", "table")  # tags whose element can be a complete signature
TITLES = ("admonition-title", "rubric", "sidebar-title", "topic-title", "title")
MAX_PAGE = 20_000_000  # characters
MAX_DEPTH = 150  # levels of nested elements; deeper content is written as plain text
DEEPEST = elements.compile_path("/".join("*" * MAX_DEPTH))
NO_PARAGRAPH = re.compile(r" *(?:`{3,}[^`\n]*$|\||-( |$)|\d+\. |> )", re.MULTILINE)
LIST = re.compile(r"-\s|\d+\. ")


@dataclass
class Scope:
    """An element that contains definitions."""

    element: _Element
    nests: bool  # whether nested scopes and headings belong to its definition
    floor: int = 0  # headings in it are deeper than this level
    definition: int = 0  # the level of its open definition, or 0


class PageWriter:
    """Writes one page's main content as blocks of markdown."""

    def __init__(
        self, main: _Element, linked: Collection[str] = (), base: str = "", room: int = MAX_PAGE
    ) -> None:
        self.blocks: list[str] = []
        self.room = room
        self.inline = InlineWriter(base)
        self.path: list[int] = []  # levels of the sections that contain the next block
        self.opened: list[int] = []  # levels of those that no written line has ended
        self.inner: list[str] | None = None  # blocks of the list item, quote or cell being written
        self.anchors: list[str] = []  # anchors found since the last written block
        for element in DEEPEST(main):
            etree.strip_tags(element, "*")
        lay_out_code(main)
        self.signatures, self.scopes = find_definitions(main, linked)
        self.holders = elements.find_holders(main)
        self.signature: list[_Element] = []  # elements of the signature on the next line
        self.scope = Scope(main, self.scopes.get(main, True))
        self.write_flow(main)

    def emit(self, *blocks: str) -> None:
        for block in blocks:
            self.room -= len(block)
            if block and self.room >= 0:
                self.anchors.clear()
                if self.inner is None:
                    self.end_sections()
                (self.blocks if self.inner is None else self.inner).append(block)

    def end_sections(self) -> None:
        """End the sections that do not contain the next block."""
        self.blocks += [markdown.SECTION_END] * (len(self.opened) - len(self.path))
        self.opened = self.path.copy()

    def write_flow(self, element: _Element) -> None:
        line = [write_text(element.text)] if element.text else []
        for child in element:
            if anchor := elements.find_anchor(child):
                self.anchors.append(anchor)
            if child in self.signatures:
                self.end_paragraph(line)
                line = []
                self.signature = [child] if self.inner is None else []
            if child.tag in WHOLE and child in self.signature:
                self.begin_definition(write_signature(read_text(child)))
            elif child.tag in elements.BLOCKS or child in self.holders:
                self.end_paragraph(line)
                line = []
                self.write_block(child)
            else:
                line.append(self.inline.write(child))
            if child.tail:
                line.append(write_text(child.tail))
        self.end_paragraph(line)

    def end_paragraph(self, line: list[str]) -> None:
        if not (inline := "".join(line)) or inline.isspace():
            return
        paragraph = finish_paragraph(inline)
        if self.signature and self.inner is None:
            self.begin_definition(write_signature(markdown.strip_markup(finish_line(inline))))
        elif not is_navigation_line(paragraph, within=self.inner is not None):
            self.emit(paragraph)

    @contextmanager
    def in_scope(self, element: _Element, *, nests: bool) -> Iterator[None]:
        around, depth = self.scope, len(self.path)
        self.scope = Scope(element, nests, around.floor)
        yield
        self.scope = around
        del self.path[depth:]

    def begin_definition(self, title: str) -> None:
        self.end_definition()
        level = self.begin_section((self.path[-1] if self.path else 1) + 1, title)
        self.scope.definition = level
        if level and self.scope.nests:
            self.scope.floor = level

    def end_definition(self) -> None:
        """End the scope's last definition, so that the next block does not belong to it."""
        if self.scope.definition:
            self.path = [level for level in self.path if level < self.scope.definition]
            self.scope.definition = 0

    def begin_section(self, level: int, title: str) -> int:
        """Begin a section with the signature's anchors, and return its level.

        If that is too deep, a bold line is written, and 0 returned.
        """
        anchors = [anchor for part in self.signature for anchor in elements.list_anchors(part)]
        anchors += reversed(self.anchors)
        anchors += " ".join(part.get(elements.BELOW) or "" for part in self.signature).split()
        self.signature = []
        level = max(level, self.scope.floor + 1)
        if level > markdown.MAX_LEVEL:
            self.emit(f"**{title}**")
            return 0
        self.anchors.clear()
        self.path = [above for above in self.path if above < level]
        if sum(above < level for above in self.opened) > len(self.path):
            self.end_sections()
        self.path.append(level)
        self.opened = self.path.copy()
        self.blocks.append(markdown.write_heading(level, title, anchors))
        return level

    def write_block(self, element: _Element) -> None:
        if element in self.scopes and self.inner is None:
            if not self.scope.nests:
                self.end_definition()
            with self.in_scope(element, nests=self.scopes[element]):
                self.write_content(element)
        elif self.room >= 0:
            self.write_content(element)

    def write_content(self, element: _Element) -> None:
        tag = element.tag
        if tag in elements.HEADING_TAGS:
            self.write_heading(element)
        elif tag == "pre":
            self.emit(write_code_block(element))
        elif tag == "table":
            self.write_table(element)
        elif tag in elements.LISTS:
            self.emit(self.write_list(element))
        elif tag == "dl":
            self.write_terms(element)
        elif tag == "blockquote":
            self.emit(*self.write_quote(element))
        elif tag == "p" and elements.has_class(element, *TITLES):
            title = finish_line(self.inline.write_content(element))
            self.emit(f"**{title}**" if title else "")
        elif tag != "hr":
            self.write_flow(element)

    def write_heading(self, heading: _Element) -> None:
        """Write a heading with its anchors, or a bold line where no section can begin."""
        self.signature = []
        title = finish_line(self.inline.write_content(heading, linked=False))
        is_menu = self.inner is None and " " in title and MENUS.fullmatch(title.lower())
        if not title or is_menu:
            self.anchors += elements.list_anchors(heading)
        elif self.inner is not None or not elements.begins_section(heading) or self.labels(heading):
            self.emit(f"**{title}**")
        else:
            self.signature = [heading]
            if self.begin_section(int(heading.tag[1]), title) <= self.scope.definition:
                self.scope.definition = 0

    def labels(self, heading: _Element) -> bool:
        """Return whether a heading labels a part of the definition above it."""
        is_part = not self.scope.nests and heading.getparent() is not self.scope.element
        is_named = bool(self.anchors or elements.list_anchors(heading))
        return is_part and self.scope.definition > 0 and not is_named

    def write_terms(self, terms: _Element) -> None:
        items: list[str] = []
        for names, bodies in elements.group_terms(terms):
            own = filter(elements.is_term, names) if self.inner is None else ()
            if any(map(elements.list_anchors, own)):
                self.emit("\n".join(items))
                items = []
                self.signature = names
                with self.in_scope(terms, nests=True):
                    self.begin_definition(", ".join(map(write_signature, map(read_text, names))))
                    self.scope.definition = 0  # definitions in its description do not end it
                    for body in bodies:
                        self.write_block(body)
            elif item := self.write_term_item(names, bodies):
                items.append(item)
        self.emit("\n".join(items))

    def write_term_item(self, names: list[_Element], bodies: list[_Element]) -> str:
        terms = (finish_line(self.inline.write_content(name, linked=False)) for name in names)
        title = ", ".join(filter(None, terms))
        blocks = [block for body in bodies for block in self.write_inner(body)]
        if title and blocks and is_paragraph(blocks[0]):
            blocks[0] = f"{title}{'' if title.endswith(':') else ':'} {blocks[0]}"
        elif title:
            blocks.insert(0, title)
        return write_item("- ", blocks)

    def write_list(self, items: _Element) -> str:
        written: list[str] = []
        number = int(start) if (start := items.get("start") or "1").isdecimal() else 1
        for item in items:
            blocks = self.write_inner(item)
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

    def write_inner(self, element: _Element) -> list[str]:
        around, self.inner = self.inner, []
        is_block = element.tag in elements.LISTS or element.tag == "table"
        (self.write_block if is_block else self.write_flow)(element)
        blocks, self.inner = self.inner, around
        return blocks

    def write_quote(self, quote: _Element) -> list[str]:
        blocks = self.write_inner(quote)
        if not all(map(is_paragraph, blocks)):
            return blocks
        return ["\n>\n".join("> " + block.replace("\n", "\n> ") for block in blocks)]

    def write_table(self, table: _Element) -> None:
        """Write a table as rows, or only its cells' content if the table is just for layout."""
        if tables.is_layout(table):
            self.write_flow(table)
            return
        caption = table.find("caption")
        if caption is not None:
            self.end_paragraph([self.inline.write_content(caption)])
        self.emit(*tables.write_table(table, self.write_cell))

    def write_cell(self, cell: _Element) -> tables.Cell:
        texts: list[str] = []
        code: list[str] = []
        for block in self.write_inner(cell):
            kept, fenced = separate_code(block)
            texts += [tables.join_rows(kept), *([tables.SEE_CODE] if fenced else [])]
            code += fenced
        return " ".join(" ".join(texts).split()), code


def write_signature(text: str) -> str:
    title = finish_line(clean_inline(text))
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
