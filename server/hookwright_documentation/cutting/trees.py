"""Search and change the tree of a page's elements."""

import re
from collections.abc import Callable
from typing import Any, cast

from lxml import etree
from lxml.etree import _Element

TEXT = etree.XPath("string()", smart_strings=False)
UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

LONG = 1_000  # characters
EMPTY = "wbr"  # an element that nothing is written for


def compile_path(path: str) -> Callable[[_Element], list[Any]]:
    """Return a function that gives the elements, or attributes, which a path of XPath leads to."""
    find = etree.XPath(path)
    return lambda element: cast("list[Any]", find(element))


def read_text(element: _Element) -> str:
    if not len(element):
        return element.text or ""
    return cast("str", TEXT(element))


def remove(element: _Element) -> None:
    """Remove an element, and leave the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    text = (parent.text if before is None else before.tail) or ""
    if element.tail and len(text) > LONG:  # to copy it for each element would take too long
        after = make_storable(element.tail)
        element.clear()
        element.tag, element.tail = EMPTY, after
        return
    if element.tail and before is None:
        parent.text = make_storable(text + element.tail)
    elif element.tail and before is not None:
        before.tail = make_storable(text + element.tail)
    parent.remove(element)


def make_storable(text: str) -> str:
    """Return text without what lxml reads, but does not let anybody write."""
    return text if text.isprintable() else UNSTORABLE.sub("", text)
