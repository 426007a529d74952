"""Find the headings, terms and signatures that a page's anchors point to."""

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from urllib.parse import unquote

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
class Candidate:
    """A line that may be the signature of an anchored element."""

    element: _Element
    anchors: list[str]
    start: _Element  # the line's first element: its block, or a child of the block
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
        return self.scope is self.element or self.element in self.scope.iterancestors()


def find_definitions(main: _Element, linked: Collection[str]) -> Definitions:
    candidates: list[Candidate] = []
    arranges = cache(is_layout)
    others: dict[_Element, list[str]] = {}  # link targets that do not begin a definition
    for element in ANCHORED(main):
        anchors = [anchor for anchor in (element.get("id"), element.get("name")) if anchor]
        if not anchors or element.tag in HEADING_TAGS or is_term(element):
            continue
        is_linked = any(clean_fragment(anchor) in linked for anchor in anchors)
        named = find_heading(element) if is_linked else None
        if named is None and (is_linked or (len(element) and element.tag in BLOCKS)):
            candidate = find_candidate(main, element, anchors, arranges)
            if candidate and candidate.block.tag in NAMED_TAGS:
                wraps_term = candidate.wraps and candidate.block.tag == "dt"
                named = candidate.block if is_linked or wraps_term else None
            elif candidate and (is_linked or (candidate.wraps and candidate.is_named)):
                candidates.append(candidate)
        if named is not None:
            name(named, anchors)
        elif is_linked:
            others[element] = anchors
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
    main: _Element, element: _Element, anchors: list[str], arranges: Callable[[_Element], bool]
) -> Candidate | None:
    inside = set(islice(element.iterancestors(), NEAR))
    block = find_block(main, element, inside, arranges)
    if block is None or block.tag in NAMED_TAGS:
        return None if block is None else Candidate(element, anchors, block, block, "", block)
    start = block
    if block in inside:
        start = next(
            part for part in (element, *element.iterancestors()) if part.getparent() is block
        )
        if (before := find_line_start(start, element)) is None:
            return None
        start = start if before or block is main else block
    text = " ".join(read_line(start, block).split())
    if not 0 < len(text) <= MAX_SIGNATURE or SENTENCE.search(text):
        return None
    if leads_elsewhere(start, text, anchors):
        return None
    return Candidate(element, anchors, start, block, text, find_scope(main, start, block))


def find_block(
    main: _Element,
    element: _Element,
    inside: Collection[_Element],
    arranges: Callable[[_Element], bool],
) -> _Element | None:
    """Return the block of the first text in or after an element, or None if it cannot define it."""
    block = find_first_text(main, element)
    while block is not None and block is not main and block.tag not in BLOCKS:
        block = block.getparent()
    if block is None or block.tag in HEADING_TAGS:
        return block
    for part in [block, *islice(block.iterancestors(), NEAR)]:
        if part is main:
            break
        if part.tag == "blockquote":
            return None
        if part.tag == "dt":
            return part if part not in inside and is_term(part) else None
        if part.tag == "table" and not arranges(part):
            if part in inside:
                return None
            block = part
    is_listing = block.tag == "pre" and block in inside and len(ANCHORED(block)) > 1
    return None if is_listing else block


def find_first_text(main: _Element, element: _Element) -> _Element | None:
    part = element
    for _ in range(NEAR):
        if part.tag in HEADING_TAGS or has_text(part.text):
            return part
        if len(part):
            part = part[0]
            continue
        while (following := part.getnext()) is None or has_text(part.tail):
            around = part.getparent()
            if has_text(part.tail) or around is None or around is main:
                return around if has_text(part.tail) else None
            part = around
        part = following
    return None


def find_line_start(start: _Element, element: _Element) -> bool | None:
    """Return whether a block precedes the line, or None if the element does not begin the line."""
    while True:
        for count, before in enumerate(element.itersiblings(preceding=True)):
            if has_text(before.tail) or count > NEAR:
                return None
            if before.tag in BLOCKS:
                return True
            if has_text(read_text(before)):
                return None
        around = element.getparent()
        if around is None or has_text(around.text):
            return None
        if element is start:
            return False
        element = around


def read_line(start: _Element, block: _Element) -> str:
    if start is block and block.tag in ("pre", "table"):
        return read_text(block)
    parts = [start.text or ""] if start is block else [read_text(start), start.tail or ""]
    for part in block if start is block else start.itersiblings():
        if part.tag in BLOCKS:
            break
        parts += [read_text(part), part.tail or ""]
    return "".join(parts)


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
