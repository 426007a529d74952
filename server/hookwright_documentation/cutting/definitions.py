"""Find the headings, terms and signatures that a page's anchors point to."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import chain
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import BLOCKS, HEADING_TAGS, is_term, read_text
from hookwright_documentation.cutting.markdown import MAX_ALIASES, clean_fragment
from hookwright_documentation.cutting.tables import is_layout

ANCHORED = elements.compile_path(".//@id/.. | .//a/@name/..")
NEAR = 60  # maximum lines between an anchor and its heading, or after a signature
MAX_BEFORE = 60  # characters before a heading in an anchored element, such as a version
MAX_SIGNATURE = 600
MIN_NAME = 3  # minimum characters of a name that may be a substring of an anchor
SENTENCE = re.compile(r"\w[.:;][\"')\]]*\Z")
WORD = re.compile(r"[^\W\d]\w*")
OPENED = elements.LISTS | {"blockquote", "table"}
NEIGHBOURS = ("next", "prev", "up")  # relations of a page to others
FIRST_WORDS = 8  # words of a signature to search for the defined name


@dataclass
class Line:
    """A line of text, with the anchored elements before it, in the order of the page."""

    passed: list[_Element]  # anchored elements within or after the line before
    anchored: list[_Element]  # those that this line follows or begins
    block: _Element  # the innermost block around it, or a whole table
    start: _Element | None  # its first element: the block, or a descendant of the block
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)


@dataclass
class Candidate:
    """A line that may be the signature of an anchored element."""

    element: _Element
    anchors: list[str]
    start: _Element
    shape: tuple[str, ...]  # the tags and first classes that definitions of its kind share
    scope: _Element
    is_named: bool

    @property
    def wraps(self) -> bool:
        """Whether the element also contains the definition's description."""
        return contains(self.element, self.scope)


def find_definitions(
    main: _Element, linked: Collection[str]
) -> tuple[set[_Element], dict[_Element, bool]]:
    """Return the elements that begin signatures, and those that contain whole definitions.

    The latter map to whether nested definitions and headings belong to the definition.
    """
    anchored = {
        element: [anchor for anchor in (element.get("id"), element.get("name")) if anchor]
        for element in ANCHORED(main)
        if element.tag not in HEADING_TAGS and not is_term(element)
    }
    others = {  # link targets that do not begin a definition
        element: anchors
        for element, anchors in anchored.items()
        if any(clean_fragment(anchor) in linked for anchor in anchors)
    }
    candidates: list[Candidate] = []
    layouts = set(filter(is_layout, main.iter("table")))
    lines = list_lines(main, anchored)
    for place, line in enumerate(lines):
        for element in line.anchored:
            anchors, is_linked = anchored[element], element in others
            near = lines[place : place + NEAR]
            named = find_named(element, near, is_linked=is_linked)
            if named is not None:
                name(named, anchors)
                others.pop(element, None)
            elif is_linked or (len(element) and element.tag in BLOCKS):
                candidate = find_candidate(main, element, anchors, near, layouts)
                if candidate and (is_linked or (candidate.wraps and candidate.is_named)):
                    candidates.append(candidate)
    shapes = Counter(candidate.shape for candidate in candidates)
    named_shapes = Counter(candidate.shape for candidate in candidates if candidate.is_named)
    signatures: set[_Element] = set()
    scopes: dict[_Element, bool] = {}
    for candidate in candidates:
        if candidate.is_named or shapes[candidate.shape] <= 2 * named_shapes[candidate.shape]:
            name(candidate.start, candidate.anchors)
            signatures.add(candidate.start)
            scope = candidate.element if candidate.wraps else candidate.scope
            scopes[scope] = scopes.get(scope, False) or candidate.wraps
            others.pop(candidate.element, None)
    name_around(lines, signatures, others)
    open_around(main, signatures, layouts)
    return signatures, scopes


def contains(element: _Element, part: _Element) -> bool:
    return element is part or element in part.iterancestors()


def list_lines(main: _Element, anchored: Collection[_Element]) -> list[Line]:
    lines: list[Line] = []
    passed: list[_Element] = []
    waiting: list[_Element] = []
    blocks: list[_Element] = []
    line = first = None
    for event, element in etree.iterwalk(main, ("start", "end")):
        begins = event == "start"
        text = element.text if begins else element.tail
        if element.tag in BLOCKS or element is main:
            if begins:
                blocks.append(element)
            else:
                blocks.pop()
            line, first = None, element if begins and element is not main else None
        elif first is None and begins:
            first = element
        if begins and element in anchored:
            waiting.append(element)
        if (text and not text.isspace()) or (begins and element.tag in elements.NAMED):
            if line is None:
                line = Line(passed, waiting, blocks[-1] if blocks else main, first)
                lines.append(line)
                passed = []
            else:
                passed += waiting
            waiting = []
        if line is not None:
            line.texts.append(text or "")
    return [*lines, Line(passed, waiting, main, None)]


def name_around(
    lines: list[Line], signatures: Collection[_Element], others: dict[_Element, list[str]]
) -> None:
    """Add other linked anchors to the heading or definition above them."""
    heading: _Element | None = None
    term: _Element | None = None
    for line in lines:
        for element in filter(others.__contains__, line.passed + line.anchored):
            if term is not None and term.getparent() not in {*element.iterancestors()}:
                term = None
            around = heading if term is None else term
            if around is not None:
                name(around, others[element], elements.BELOW)
        if line.start in signatures or elements.begins_section(line.block):
            heading, term = line.start, None
        elif is_term(line.block) and elements.list_anchors(line.block):
            term = line.block


def name(element: _Element, anchors: list[str], attribute: str = elements.AROUND) -> None:
    known = (element.get(attribute) or "").split()
    if len(known) <= MAX_ALIASES:
        own = list(filter(None, map(clean_fragment, anchors)))
        # The nearest anchor around a definition comes first.
        both = own + known if attribute == elements.AROUND else known + own
        element.set(attribute, " ".join(both))


def find_named(element: _Element, lines: list[Line], *, is_linked: bool) -> _Element | None:
    """Return the heading or term that begins an element or follows it immediately.

    A heading that begins the element after short text is moved before the text.
    """
    before = 0
    for line in lines if is_linked else lines[:1]:
        block, is_inside = line.block, contains(element, line.block)
        if before > MAX_BEFORE or not (is_inside or line is lines[0]):
            return None
        if block.tag in HEADING_TAGS and is_linked:
            if before:
                elements.remove(block)
                block.tail, element.text = element.text, None
                element.insert(0, block)
            return block
        if is_term(block) and line is lines[0]:
            terms = next(block.iterancestors("dl"), None)
            is_part = is_inside and terms is not None and terms in element.iterancestors()
            return block if is_linked or is_part else None
        before += len(line.text.strip())
    return None


def find_candidate(
    main: _Element,
    element: _Element,
    anchors: list[str],
    lines: list[Line],
    layouts: Collection[_Element],
) -> Candidate | None:
    line, *following = lines
    start, block, text = line.start, line.block, line.text
    outside = {*main.iterancestors()}
    for around in [block, *block.iterancestors("blockquote", "dt", "table")]:
        if around in outside:
            break
        if around.tag in ("blockquote", "dt", *HEADING_TAGS):
            return None
        if around.tag == "table" and around not in layouts:
            start, block, text = around, around, read_text(around)
    text = " ".join(text.split())
    is_table = block.tag == "table"
    is_listing = block.tag == "pre" and contains(block, element) and len(ANCHORED(block)) > 1
    if (
        start is None
        or is_listing
        or (is_table and contains(block, element))
        or not 0 < len(text) <= MAX_SIGNATURE
        or SENTENCE.search(text)
        or leads_elsewhere(start, text, anchors)
    ):
        return None
    parts = (element, block)
    shape = tuple(f"{part.tag} {(part.get('class') or '').split()[:1]}" for part in parts)
    after = (line.block for line in following if not (is_table and contains(block, line.block)))
    next_block = next(after, main)
    scope = next(part for part in (start, *start.iterancestors()) if contains(part, next_block))
    return Candidate(element, anchors, start, shape, scope, is_named(text, anchors))


def is_named(text: str, anchors: list[str]) -> bool:
    """Return whether an anchor contains a name from a signature."""
    words = WORD.findall(text)[:FIRST_WORDS]
    anchors = list(map(unquote, anchors))
    parts = {part for anchor in anchors for part in WORD.findall(anchor)}
    return any(
        word in parts or (len(word) >= MIN_NAME and word in anchor)
        for word in words
        for anchor in anchors
    )


def leads_elsewhere(start: _Element, text: str, anchors: list[str]) -> bool:
    links = list(start.iter("a"))
    if any(link.get("rel") in NEIGHBOURS for link in links):
        return True
    link = next(iter(links), None)
    href = "" if link is None or " ".join(read_text(link).split()) != text else link.get("href")
    return bool(href) and str(href).partition("#")[2] not in anchors


def open_around(
    main: _Element, signatures: Collection[_Element], layouts: Collection[_Element]
) -> None:
    """Replace lists, quotes and tables that contain headings or definitions by their parts."""
    terms = {term for term in main.iter("dt") if is_term(term) and elements.list_anchors(term)}
    headings = filter(elements.begins_section, main.iter(*HEADING_TAGS))
    opened: set[_Element] = set()
    for element in (*terms, *headings, *signatures):
        around = element.getparent()
        while around is not None and around not in opened:
            table = next(around.iterancestors("table"), None)
            if around.tag in ("td", "th") and table not in layouts:
                break
            opened.add(around)
            around = around.getparent()
    for around in opened:
        own = chain.from_iterable(names for names, _ in elements.group_terms(around))
        if around.tag in OPENED or (around.tag == "dl" and terms.isdisjoint(own)):
            around.tag = "div"
