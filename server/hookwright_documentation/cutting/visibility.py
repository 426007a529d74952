"""Remove the parts of a page that a browser does not show, if its markup is valid.

Only style sheet rules for a single class or ID are read, and only from the page itself. A few
well-known classes are assumed to hide content, like in common style sheets.
"""

import re
from functools import cache, lru_cache, partial
from itertools import chain
from typing import NamedTuple

from lxml.etree import _Element
from tinycss2 import parse_stylesheet, serialize

from hookwright_documentation.cutting.elements import remove
from hookwright_documentation.cutting.styles import EM, MIN_FONT, SEEN, Color, read_style

# The last three tags are obsolete: some browsers show their content as text, others hide it, and
# lxml parses it as markup.
UNSHOWN_TAGS = """
script style template noscript noframes noembed frameset title head datalist rp object embed iframe
canvas audio video map svg xmp plaintext comment
"""
UNSHOWN = frozenset(UNSHOWN_TAGS.split())
KEPT = frozenset(("head", "script"))  # contain the title and formulas
# Browsers treat the content of these tags as hidden text, but lxml parses it as markup.
RAW = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<tag>noscript|noframes|noembed|iframe|script|style|textarea)\b.*?(?:</(?P=tag)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
HIDDEN_RAW = frozenset(("noscript", "noframes", "noembed", "iframe"))
MARKS = frozenset(("hidden", "style", "popover", "bgcolor", "color", "text"))
HIDING_CLASS_NAMES = """
sr-only visually-hidden visuallyhidden visually-hidden-focusable screen-reader-text
screenreader-only screen-reader-only assistive-text element-invisible d-none invisible is-hidden
is-sr-only display-none u-hidden
"""
HIDING_CLASSES = frozenset(HIDING_CLASS_NAMES.split())
SHOWS_AGAIN = re.compile(r"d-(?:\w+-)?(?:block|inline|flex|grid|table|contents)\b")  # when wide
SELECTOR = re.compile(r"([.#])([\w-]+)\Z")
LEGACY_COLOR = re.compile(r"[0-9a-f]{3}(?:[0-9a-f]{3})?", re.IGNORECASE)
ZERO_SIZE = re.compile(r"\s*0*[01](?:\.\d*)?(?:px)?\s*")

PAGE = (1.0, 1.0, 1.0, 0.0)  # default background: white, like most pages
COLORED = frozenset(("body", "font", "table", "thead", "tbody", "tr", "td", "th"))
CODE = frozenset(("pre", "code"))  # usually have their own background


class Context(NamedTuple):
    """The effective visibility of an element's text, including inherited styles."""

    visible: bool = True
    font: float = EM  # font size in pixels
    color: Color = (0.0, 0.0, 0.0, 1.0)
    background: Color | None = PAGE  # background colour, or None if unknown
    opacity: float = 1.0  # the element's effective opacity


def drop_raw(html: str) -> str:
    """Return a page without the elements that browsers hide but lxml would parse as markup."""
    return RAW.sub(
        lambda found: "<br " if (found["tag"] or "").lower() in HIDDEN_RAW else found[0], html
    )


def remove_hidden(root: _Element) -> None:
    """Remove the content that a browser does not show, except the head."""
    sheets = (sheet.text or "" for sheet in root.iter("style"))
    hiding = frozenset(chain.from_iterable(map(find_hiding_names, sheets)))
    hides = cache(partial(hides_class, hiding=hiding))
    marked = []
    for element in list(root.iter()):
        attributes = element.keys()
        if not MARKS.isdisjoint(attributes) or element.tag == "img":
            marked.append(element)
        if ("class" in attributes and hides(element.get("class"))) or (
            hiding and "#" + (element.get("id") or "") in hiding
        ):
            remove(element)
    known: dict[_Element, Context] = {}
    for element in marked:
        around = find_context(element.getparent(), known)
        context = enter(around, write_style(element), element.tag in CODE)
        if is_hidden(element) or context.opacity < SEEN:
            remove_all(element)
        elif not shows_text(context):
            clear_text(element)
    for element in list(root.iter(*(UNSHOWN - KEPT))):
        holder = element.getparent()
        if holder is not None and holder.tag != "head":
            remove(element)


def remove_all(element: _Element) -> None:
    if element.getparent() is None:
        element.clear()
    remove(element)


def is_hidden(element: _Element) -> bool:
    style = read_style(write_style(element))
    sizes = (element.get("width") or "", element.get("height") or "")
    return (
        element.tag in UNSHOWN
        or style.hides
        or style.clips
        or style.opacity < SEEN
        or not {"hidden", "popover"}.isdisjoint(element.attrib)
        or (element.tag == "dialog" and element.get("open") is None)
        or (element.tag == "img" and (style.is_small or any(map(ZERO_SIZE.fullmatch, sizes))))
    )


def find_context(element: _Element | None, known: dict[_Element, Context]) -> Context:
    path = []
    around = element
    while around is not None and around not in known:
        path.append(around)
        around = around.getparent()
    context = Context() if around is None else known[around]
    for inner in reversed(path):
        context = known[inner] = enter(context, write_style(inner), inner.tag in CODE)
    return context


@lru_cache(maxsize=10_000)
def enter(around: Context, text: str, is_code: bool) -> Context:  # noqa: FBT001 - for the cache
    style = read_style(text)
    background = None if is_code and around.background == PAGE else around.background
    return Context(
        visible=around.visible if style.visible is None else style.visible,
        font=around.font * style.scale if style.font is None else style.font,
        color=style.color or around.color,
        background=style.background or (None if style.has_picture else background),
        opacity=around.opacity * style.opacity,
    )


@lru_cache(maxsize=10_000)
def shows_text(context: Context) -> bool:
    if not context.visible or context.font <= MIN_FONT:
        return False
    *color, alpha = context.color
    behind = context.background
    contrast = 1.0 if behind is None else max(abs(color[part] - behind[part]) for part in range(3))
    return contrast * alpha >= SEEN


def clear_text(element: _Element) -> None:
    waiting = [element]
    while waiting:
        emptied = waiting.pop()
        emptied.text = None
        emptied.attrib.pop("alt", "")
        for child in emptied:
            child.tail = None
            if child.get("style") is None and child.tag != "font":
                waiting.append(child)


def write_style(element: _Element) -> str:
    style = element.get("style") or ""
    if element.tag in COLORED:
        for attribute in ("bgcolor", "text", "color"):
            if value := (element.get(attribute) or "").strip():
                name = "background" if attribute == "bgcolor" else "color"
                style = f"{name}:{'#' if LEGACY_COLOR.fullmatch(value) else ''}{value};{style}"
    return style


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
            if names and read_style(serialize(rule.content)).hides_alone:
                hidden.update(names)
    return frozenset(hidden)
