"""Remove the parts of a page that a browser does not show, if its markup is valid.

Only style sheet rules for a single class or ID are read, and only from the page itself. A few
well-known classes are assumed to hide content, like in common style sheets.
"""

import re
from dataclasses import replace
from functools import lru_cache

from lxml.etree import _Element
from tinycss2 import parse_stylesheet, serialize

from hookwright_documentation.cutting.elements import remove
from hookwright_documentation.cutting.styles import WHITE, Look, apply_style

# The last three tags are obsolete: some browsers show their content as text, others hide it, and
# lxml parses it as markup.
UNSHOWN_TAGS = """
script style template noscript noframes noembed frameset title head datalist rp object embed iframe
canvas audio video map svg xmp plaintext comment
"""
UNSHOWN = frozenset(UNSHOWN_TAGS.split())
# Browsers treat the content of these tags as hidden text, but lxml parses it as markup.
RAW = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<tag>noscript|noframes|noembed|iframe|script|style|textarea)\b.*?(?:</(?P=tag)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
HIDDEN_RAW = frozenset(("noscript", "noframes", "noembed", "iframe"))
HIDING_CLASS_NAMES = """
sr-only visually-hidden visuallyhidden visually-hidden-focusable screen-reader-text
screenreader-only screen-reader-only assistive-text element-invisible d-none invisible is-hidden
is-sr-only display-none u-hidden
"""
HIDING_CLASSES = frozenset(HIDING_CLASS_NAMES.split())
SHOWS_AGAIN = re.compile(r"d-(?:\w+-)?(?:block|inline|flex|grid|table|contents)\b")  # when wide
SELECTOR = re.compile(r"([.#])([\w-]+)\Z")
LEGACY_COLOR = re.compile(r"[0-9a-f]{3}(?:[0-9a-f]{3})?", re.IGNORECASE)
LEGACY = {"bgcolor": "background", "text": "color", "color": "color"}  # attributes and properties
MARKS = frozenset(("hidden", "style", "popover", *LEGACY))
COLORED = frozenset(("body", "font", "table", "thead", "tbody", "tr", "td", "th"))
CODE = frozenset(("pre", "code"))  # usually have their own background


def drop_raw(html: str) -> str:
    """Return a page without the elements that browsers hide but lxml would parse as markup."""
    return RAW.sub(
        lambda found: "<br " if (found["tag"] or "").lower() in HIDDEN_RAW else found[0], html
    )


def remove_hidden(root: _Element) -> None:
    """Remove the content that a browser does not show, except the head."""
    hiding = frozenset[str]().union(
        *(find_hiding_names(sheet.text or "") for sheet in root.iter("style"))
    )
    marked = []
    for element in list(root.iter()):
        attributes = element.keys()
        if not MARKS.isdisjoint(attributes) or element.tag == "img":
            marked.append(element)
        is_named = "class" in attributes and hides_class(element.get("class") or "", hiding)
        if is_named or (hiding and f"#{element.get('id')}" in hiding):
            remove(element)
    known: dict[_Element, Look] = {}
    for element in marked:
        look = find_look(element, known)
        if is_hidden(element, look):
            if element is root:
                root.clear()
            remove(element)
        elif not look.shows_text:
            clear_text(element)
    for element in list(root.iter(*(UNSHOWN - {"head", "script"}))):  # the title, and formulas
        holder = element.getparent()
        if holder is not None and holder.tag != "head":
            remove(element)


def is_hidden(element: _Element, look: Look) -> bool:
    """Return whether an element and all its descendants are invisible."""
    return (
        element.tag in UNSHOWN
        or look.hides_all
        or not {"hidden", "popover"}.isdisjoint(element.attrib)
        or (element.tag == "dialog" and element.get("open") is None)
    )


def find_look(element: _Element | None, known: dict[_Element, Look]) -> Look:
    path = []
    while element is not None and element not in known:
        path.append(element)
        element = element.getparent()
    look = Look() if element is None else known[element]
    for inner in reversed(path):
        if inner.tag in CODE and look.background == WHITE:
            look = replace(look, background=None)
        style = write_style(inner)
        look = known[inner] = apply_style(look, style) if style else look
    return look


def clear_text(element: _Element) -> None:
    """Clear the text of an element, except of descendants that have their own style."""
    waiting = [element]
    for emptied in waiting:
        emptied.text = None
        emptied.attrib.pop("alt", "")
        for child in emptied:
            child.tail = None
            if child.get("style") is None and child.tag != "font":
                waiting.append(child)


def write_style(element: _Element) -> str:
    """Return an element's style, with the equivalents of its other attributes before it."""
    style = element.get("style") or ""
    if element.tag in COLORED:
        for attribute, name in LEGACY.items():
            if value := (element.get(attribute) or "").strip():
                style = f"{name}:{'#' if LEGACY_COLOR.fullmatch(value) else ''}{value};{style}"
    if element.tag == "img":
        size = f"width:{element.get('width') or ''};height:{element.get('height') or ''}"
        style = f"overflow:hidden;{size};{style}"
    return style


@lru_cache(maxsize=10_000)
def hides_class(classes: str, hiding: frozenset[str]) -> bool:
    own = HIDING_CLASSES.intersection(classes.lower().split())
    is_hidden = bool(own) and not (own == {"d-none"} and SHOWS_AGAIN.search(classes))
    return is_hidden or not hiding.isdisjoint("." + name for name in classes.split())


@lru_cache(maxsize=100)
def find_hiding_names(sheet: str) -> frozenset[str]:
    hidden: set[str] = set()
    for rule in parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            selectors = map(str.strip, serialize(rule.prelude).split(","))
            names = [name for name in selectors if SELECTOR.match(name)]
            look = apply_style(Look(), serialize(rule.content)) if names else Look()
            if look.hides_all or not look.shows_text:
                hidden.update(names)
    return frozenset(hidden)
