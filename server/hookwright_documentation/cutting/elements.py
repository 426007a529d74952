"""Search and change a page's elements."""

import re
from collections.abc import Callable, Iterator
from itertools import chain, groupby, takewhile
from typing import Any, cast

from lxml import etree
from lxml.etree import _Element

HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
NAMED = frozenset(("dt", *HEADING_TAGS))  # may have anchors, and begin a line even if empty
ANCHOR = "data-anchor"  # on a heading: target of its own link
AROUND = "data-anchors-around"  # on headings and definitions: anchors around or before them
BELOW = "data-anchors-below"  # on a heading or definition: link targets in its section
BLOCK_TAGS = """
address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption
figure footer form header hgroup hr html legend li main nav p pre section summary table tbody td
tfoot th thead tr
"""
LISTS = frozenset(("ul", "ol", "menu", "dir"))
BLOCKS = frozenset(BLOCK_TAGS.split()) | LISTS | HEADING_TAGS
LETTER = re.compile(r"[^\W\d_]")

ADMONITIONS = ("note", "tip", "warning", "caution", "important", "admonition", "example", "danger")
SECTION = re.compile(r"(?:^|\s)(?:sect|ref|chapter|appendix|part|book|article|preface|topic)")
TEXT = etree.XPath("string()", smart_strings=False)


def compile_path(path: str) -> Callable[[_Element], list[Any]]:
    find = etree.XPath(path)
    return lambda element: cast("list[Any]", find(element))


def read_text(element: _Element) -> str:
    if not len(element):
        return element.text or ""
    return cast("str", TEXT(element))


def remove(element: _Element) -> None:
    """Remove an element, but keep the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is None:
        parent.text = (parent.text or "") + element.tail
    elif element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def has_class(element: _Element, *names: str) -> bool:
    classes = element.get("class") or ""
    return bool(classes) and not set(names).isdisjoint(classes.split())


def is_term(element: _Element) -> bool:
    """Return whether an element is a term, rather than the number of a footnote."""
    return element.tag == "dt" and bool(LETTER.search(read_text(element)))


def list_anchors(element: _Element) -> list[str]:
    """Return a heading's or term's anchors, starting with the target of its own link."""
    anchors = [element.get(ANCHOR), element.get("id")]
    for part in element.iter("a", "span", "code"):
        anchors += [part.get("id"), part.get("name") if part.tag == "a" else None]
    anchors += (element.get(AROUND) or "").split()
    return [anchor for anchor in anchors if anchor]


def begins_section(heading: _Element) -> bool:
    around = heading.getparent()
    is_titled = around is not None and has_class(around, *ADMONITIONS)
    return heading.tag in HEADING_TAGS and not is_titled


def find_anchor(element: _Element) -> str:
    anchor = element.get("id") or (element.get("name") if element.tag == "a" else None)
    if not anchor or element.tag in HEADING_TAGS:
        return ""
    if element.tag != "div" or SECTION.search(element.get("class") or ""):
        return anchor
    first = element[0] if len(element) else None
    return anchor if first is None or first.tag in HEADING_TAGS else ""  # other divs only do layout


def find_holders(main: _Element) -> set[_Element]:
    around = (block.iterancestors() for block in main.iter(*BLOCKS))
    return set(chain(*(takewhile(lambda part: part.tag not in BLOCKS, parts) for parts in around)))


def list_parts(terms: _Element) -> Iterator[_Element]:
    for part in terms:
        if part.tag == "div" and part.find(".//dt") is not None:
            yield from list_parts(part)
        else:
            yield part


def group_terms(terms: _Element) -> Iterator[tuple[list[_Element], list[_Element]]]:
    """Yield each group of a list's names, and the descriptions that follow it."""
    names: list[_Element] = []
    for are_names, group in groupby(list_parts(terms), lambda part: bool(part.tag == "dt")):
        if are_names:
            names = list(group)
        else:
            yield names, list(group)
            names = []
    if names:
        yield names, []
