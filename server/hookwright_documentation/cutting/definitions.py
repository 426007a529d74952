"""Find the headings, terms and signatures that a page's anchors point to."""

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import BLOCKS, HEADING_TAGS, read_text
from hookwright_documentation.cutting.markdown import MAX_ALIASES, clean_fragment
from hookwright_documentation.cutting.tables import is_layout

# XPath selects the anchored elements, because a page has a hundred times as many elements.
ANCHORED = elements.compile_path(".//@id/.. | .//a/@name/..")
NAMED_TAGS = frozenset(("dt", *HEADING_TAGS))
NEAR = 60  # maximum elements between an anchor and the start of its target
MAX_BEFORE = 60  # characters before a heading in an anchored element, such as a version
MAX_SIGNATURE = 600
MIN_NAME = 3  # minimum characters of a name that may be a substring of an anchor
SENTENCE = re.compile(r"\w[.:;][\"')\]]*\Z")
WORD = re.compile(r"[^\W\d]\w*")
FIRST_WORDS = 8  # words of a signature to search for the defined name


@dataclass
class Definitions:
    """The definitions on a page, except terms."""

    signatures: set[_Element] = field(default_factory=set)  # each definition's first element
    # Elements that contain a whole definition, and whether nested scopes and headings belong to it.
    scopes: dict[_Element, bool] = field(default_factory=dict)
    opened: set[_Element] = field(default_factory=set)  # ancestors of headings and definitions


@dataclass
class Line:
    """A line of text, and the anchored elements that are followed or begun by it."""

    anchored: list[_Element]
    block: _Element  # the innermost block around it, or a whole table
    start: _Element | None  # its first element: the block, or a descendant of the block
    texts: list[str] = field(default_factory=list)


@dataclass
class Candidate:
    """A line that may be the signature of an anchored element."""

    element: _Element
    anchors: list[str]
    start: _Element
    block: _Element
    text: str
    scope: _Element

    @property
    def shape(self) -> tuple[str | None, ...]:
        """The tags and classes that definitions of the same kind share."""
        element, block = self.element, self.block
        return element.tag, element.get("class"), block.tag, block.get("class")

    @property
    def is_named(self) -> bool:
        """Whether an anchor contains a name from the line."""
        words = WORD.findall(self.text)[:FIRST_WORDS]
        anchors = list(map(unquote, self.anchors))
        parts = {part for anchor in anchors for part in WORD.findall(anchor)}
        return any(
            word in parts or (len(word) >= MIN_NAME and word in anchor)
            for word in words
            for anchor in anchors
        )

    @property
    def wraps(self) -> bool:
        """Whether the element also contains the definition's description."""
        return contains(self.element, self.scope)


def find_definitions(main: _Element, linked: Collection[str]) -> Definitions:
    candidates: list[Candidate] = []
    arranges = cache(is_layout)
    anchored = {element: anchors for element in ANCHORED(main) if (anchors := list_own(element))}
    others = {  # link targets that do not begin a definition
        element: anchors
        for element, anchors in anchored.items()
        if any(clean_fragment(anchor) in linked for anchor in anchors)
    }
    for line in list_lines(main, anchored):
        for element in line.anchored:
            anchors, is_linked = anchored[element], element in others
            named = find_heading(element) if is_linked else None
            if named is None and (line.block.tag in HEADING_TAGS or is_term(line.block)):
                is_inside = line.block.tag == "dt" and contains(element, line.block)
                named = line.block if is_linked or is_inside else None
            elif named is None and (is_linked or (len(element) and element.tag in BLOCKS)):
                candidate = find_candidate(main, element, anchors, line, arranges)
                if candidate and (is_linked or (candidate.wraps and candidate.is_named)):
                    candidates.append(candidate)
            if named is not None:
                name(named, anchors)
                others.pop(element, None)
    shapes = Counter(candidate.shape for candidate in candidates)
    named_shapes = Counter(candidate.shape for candidate in candidates if candidate.is_named)
    found = Definitions()
    starts: dict[_Element, _Element] = {}
    for candidate in candidates:
        if candidate.is_named or shapes[candidate.shape] <= 2 * named_shapes[candidate.shape]:
            name(candidate.start, candidate.anchors)
            found.signatures.add(candidate.start)
            scope = candidate.element if candidate.wraps else candidate.scope
            found.scopes[scope] = found.scopes.get(scope, False) or candidate.wraps
            starts[candidate.element] = candidate.start
            others.pop(candidate.element, None)
    name_around(main, starts, others)
    open_around(main, found, arranges)
    return found


def list_own(element: _Element) -> list[str]:
    if element.tag in HEADING_TAGS or is_term(element):
        return []
    return [anchor for anchor in (element.get("id"), element.get("name")) if anchor]


def contains(element: _Element, part: _Element) -> bool:
    return element is part or element in part.iterancestors()


def list_lines(main: _Element, anchored: Collection[_Element]) -> list[Line]:
    """Return the lines that follow or begin anchored elements."""
    lines: list[Line] = []
    waiting: list[_Element] = []
    blocks: list[_Element] = []
    line = first = None
    for event, element in etree.iterwalk(main, ("start", "end")):
        if event == "start":
            text = element.text
            if element.tag in BLOCKS or element is main:
                blocks.append(element)
                line, first = None, None if element is main else element
            elif first is None:
                first = element
            if element in anchored:
                waiting.append(element)
        else:
            text = element.tail
            if element is blocks[-1]:
                blocks.pop()
                line = first = None
        is_named = event == "start" and element.tag in NAMED_TAGS
        if is_named or has_text(text):
            if line is None:
                line = Line(waiting, blocks[-1] if blocks else main, first)
                lines.append(line)
            waiting = []
        if line is not None:
            line.texts.append(text or "")
    return lines


def name_around(
    main: _Element, starts: dict[_Element, _Element], others: dict[_Element, list[str]]
) -> None:
    """Add other linked anchors to the heading or definition above them."""
    heading = term = None
    for place in main.iter() if others else ():
        if place in starts:
            heading, term = starts[place], None
        elif place.tag in HEADING_TAGS and elements.begins_section(place):
            heading, term = place, None
        elif is_term(place) and elements.list_anchors(place):
            term = place
        elif anchors := others.get(place):
            if term is not None and term.getparent() not in {*place.iterancestors()}:
                term = None
            around = heading if term is None else term
            if around is not None:
                name(around, anchors, elements.BELOW)


def name(element: _Element, anchors: list[str], attribute: str = elements.AROUND) -> None:
    known = (element.get(attribute) or "").split()
    if len(known) <= MAX_ALIASES:
        element.set(attribute, " ".join([*known, *filter(None, map(clean_fragment, anchors))]))


def is_term(element: _Element) -> bool:
    terms = next(element.iterancestors("dl"), None) if element.tag == "dt" else None
    return terms is not None and elements.may_define(terms)


def has_text(text: str | bytes | None) -> bool:
    return bool(text and not text.isspace())


def find_heading(element: _Element) -> _Element | None:
    """Return the heading that begins an element, after moving it before any short text."""
    before = 0
    for part in islice(element.iter(), NEAR):
        previous = None if part is element else part.getprevious()
        before += 0 if previous is None else len((previous.tail or "").strip())
        if before > MAX_BEFORE:
            return None
        if part.tag in HEADING_TAGS:
            if before:
                elements.remove(part)
                part.tail, element.text = element.text, None
                element.insert(0, part)
            return part
        before += len((part.text or "").strip())
    return None


def find_candidate(
    main: _Element,
    element: _Element,
    anchors: list[str],
    line: Line,
    arranges: Callable[[_Element], bool],
) -> Candidate | None:
    start, block, text = line.start, line.block, "".join(line.texts)
    for around in [block, *block.iterancestors("blockquote", "dt", "table")]:
        if around in main.iterancestors():
            break
        if around.tag in ("blockquote", "dt"):
            return None
        if around.tag == "table" and not arranges(around):
            start, block, text = around, around, read_text(around)
    text = " ".join(text.split())
    is_listing = block.tag == "pre" and contains(block, element) and len(ANCHORED(block)) > 1
    is_within = block.tag == "table" and contains(block, element)
    if (
        start is None
        or line.block.tag == "dt"
        or is_listing
        or is_within
        or not 0 < len(text) <= MAX_SIGNATURE
        or SENTENCE.search(text)
        or leads_elsewhere(start, text, anchors)
    ):
        return None
    return Candidate(element, anchors, start, block, text, find_scope(main, start, block))


def leads_elsewhere(start: _Element, text: str, anchors: list[str]) -> bool:
    link = next(start.iter("a"), None)
    if link is None or not link.get("href") or " ".join(read_text(link).split()) != text:
        return False
    return (link.get("href") or "").partition("#")[2] not in anchors


def find_scope(main: _Element, start: _Element, block: _Element) -> _Element:
    rest = block if start is block else start.itersiblings()
    if block.tag not in ("pre", "table") and any(use.tag in BLOCKS for use in rest):
        return block
    part = block
    while part is not main and (around := part.getparent()) is not None:
        following = islice(part.itersiblings(), NEAR)
        if has_text(part.tail) or any(
            map(has_text, chain(*(sibling.itertext() for sibling in following)))
        ):
            return around
        part = around
    return main


def open_around(main: _Element, found: Definitions, arranges: Callable[[_Element], bool]) -> None:
    """Record the ancestors of headings and definitions; they are not written as lists or tables."""
    terms = [term for term in main.iter("dt") if is_term(term) and elements.list_anchors(term)]
    headings = filter(elements.begins_section, main.iter(*HEADING_TAGS))
    for element in (*terms, *headings, *found.signatures):
        around = element.getparent()
        while around is not None and around not in found.opened:
            table = next(around.iterancestors("table"), None)
            if around.tag in ("td", "th") and not (table is not None and arranges(table)):
                break
            found.opened.add(around)
            around = around.getparent()
