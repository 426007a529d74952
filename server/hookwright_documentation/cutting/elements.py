"""Ask elements of a page what they hold and how they are marked."""

import re
from collections.abc import Iterable, Iterator

from lxml.etree import _Element

from hookwright_documentation.cutting.main_content import ANCHOR, AROUND, BELOW, HEADING_TAGS

CONTAINER_TAGS = """
address article aside body caption center dd details dialog div dt fieldset figcaption
figure footer form header hgroup html legend li main nav p section summary tbody td tfoot th
thead tr
"""
CONTAINERS = frozenset(CONTAINER_TAGS.split())
LISTS = frozenset(("ul", "ol", "menu", "dir"))
BLOCKS = CONTAINERS | LISTS | HEADING_TAGS | {"pre", "table", "dl", "blockquote", "hr"}
NO_DEFINITIONS = frozenset(("footnote", "citation", "field-list", "option-list"))

ADMONITIONS = ("note", "tip", "warning", "caution", "important", "admonition", "example", "danger")
SECTION = re.compile(r"(?:^|\s)(?:sect|ref|chapter|appendix|part|book|article|preface|topic)")


def has_class(element: _Element, *names: str) -> bool:
    classes = element.get("class") or ""
    return bool(classes) and not set(names).isdisjoint(classes.split())


def may_define(terms: _Element) -> bool:
    """Return whether terms with anchors in a list are definitions, not notes."""
    return not has_class(terms, *NO_DEFINITIONS)


def list_anchors(element: _Element) -> list[str]:
    """Return the anchors of a heading or term, the one that its own link leads to first."""
    anchors = [element.get(ANCHOR), element.get("id")]
    for part in element.iter("a", "span", "code"):
        anchors += [part.get("id"), part.get("name") if part.tag == "a" else None]
    anchors += (element.get(AROUND) or "").split()
    return [anchor for anchor in anchors if anchor]


def list_below(element: _Element) -> list[str]:
    """Return the anchors in the section of a heading or term that links lead to."""
    return (element.get(BELOW) or "").split()


def begins_section(heading: _Element) -> bool:
    around = heading.getparent()
    return around is None or not has_class(around, *ADMONITIONS)


def find_anchor(element: _Element) -> str:
    """Return the anchor of an element that may stand for the heading after it, or ""."""
    anchor = element.get("id") or (element.get("name") if element.tag == "a" else None)
    if not anchor or element.tag in HEADING_TAGS:
        return ""
    if element.tag != "div" or SECTION.search(element.get("class") or ""):
        return anchor
    first = element[0] if len(element) else None
    return anchor if first is None or first.tag in HEADING_TAGS else ""  # others only lay out


def find_holders(main: _Element) -> set[_Element]:
    """Return the elements of a line, such as links, that hold blocks."""
    holders: set[_Element] = set()
    for block in main.iter(*BLOCKS):
        around = block.getparent()
        while around is not None and around.tag not in BLOCKS and around not in holders:
            holders.add(around)
            around = around.getparent()
    return holders


def group_terms(terms: _Element) -> Iterator[tuple[list[_Element], list[_Element]]]:
    names: list[_Element] = []
    bodies: list[_Element] = []
    for part in list_parts(terms):
        if part.tag == "dt":
            if bodies:
                yield names, bodies
                names, bodies = [], []
            names.append(part)
        else:
            bodies.append(part)
    if names or bodies:
        yield names, bodies


def list_parts(terms: _Element) -> Iterable[_Element]:
    for part in terms:
        if part.tag == "div" and part.find("dt") is not None:
            yield from part
        else:
            yield part
