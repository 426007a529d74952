"""Find a page's main content, and remove navigation and controls from it."""

import re
from itertools import chain, islice
from typing import cast

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import NAMED, compile_path, read_text, remove
from hookwright_documentation.cutting.markdown import clean_fragment

# Where the main content may be, likeliest first; the first three mark it explicitly.
PLACES = [
    compile_path(f"//{place}")
    for place in (
        *("@role[. = 'main']/..", "main", "@id[. = 'apicontent']/..", "article"),
        *("@id[. = 'content']/..", "@class[contains(concat(' ', ., ' '), ' body ')]/.."),
        *("@id[. = 'docs-body']/..", "@id[. = 'main-content']/..", "@id[. = 'bd']/.."),
    )
]
EXPLICIT = 3  # places
MIN_CONTENT = 25  # minimum characters of explicitly marked main content
SHARE = 0.3  # minimum share of the page's text for content found in the other places
TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
ARTICLES = compile_path(".//article")

NO_CONTENT = (
    *("script", "head", "button", "input", "select", "textarea", "dialog", "nav", "footer"),
    *("label", "progress", "meter"),
)
ROLES = "|navigation|search|banner|contentinfo|menu|menubar|dialog|alertdialog|"
MARKED = compile_path(f".//@role[contains('{ROLES}', concat('|', ., '|'))]/.. | .//@aria-hidden/..")
SYMBOLS = re.compile(r"[\W_]*\Z")
OPERATOR = re.compile(r"[!$%&*+,./:<=>@\\|~]|\[\]|[#(][-^]")  # never in a permalink
MAX_LENGTH = 360  # characters of a control's line, including link addresses
# Texts of controls in lower case. Those that most pages repeat are recognised without this list.
CONTROL_TEXT = r"""
      copy(?:\ (?:page|link|code|url|to\ clipboard|(?:page\ )?as\ markdown))? | copied!?
    | (?:open|view|ask|edit|suggest|report|raise|submit|add|(?:learn\ how\ to\ )?improve)
      (?:\ (?:an?|this|in|on|as|with|page|source|edits?|issue|bug|pull|request|note|chatgpt|claude
      |markdown|github))+
    | (?:show|expand|hide|collapse|click\ to\ toggle|toggle)\ (?:description|source) | source
    | skip\ (?:to\ )?(?:main\ )?(?:content|navigation(?:\ links)?)
    | (?:back\ |go\ |scroll\ )?to\ top
    | found\ a\ problem | was\ this\ (?:page|article)\ helpful(?:\W*yes\W*no)?
    | on\ this\ page | in\ this\ article | (?:table\ of\ )?contents | up | down
    | \d+(?:\ (?:year|month|day)s?\ ago)?
"""
CONTROL_LINE = rf"\W*(?:{CONTROL_TEXT})(?:\s*[|•·]\s*(?:{CONTROL_TEXT}))*\W*"
MENUS = re.compile(CONTROL_LINE, re.VERBOSE)
MARKUP = re.compile(r"\]\([^()\s<>]*\)|[\[\]\\]")
PROSE = frozenset(("p", "li", "td", "th", "dd", "em", "strong", "b", "i"))
# Links to a definition's source or editor.
CONTROLS = frozenset(("[src]", "[source]", "[doc]", "[docs]", "[edit]", "src", "source"))
CONTROLS |= {"click to toggle source"}
ENDS = ("Source", "Edit")  # links after a definition
COMMANDS = ("top", "back to top", "collapse", "expand")  # links in a heading
FORMULAS = compile_path(".//script[starts-with(@type, 'math/tex')]")  # of MathJax
LABEL_TEXT = re.compile(r"[^.]{0,60}\Z")  # label of a table of contents
BELOW = compile_path("following::*/@id | following::a/@name")
UNLINKED = compile_path(".//text()[not(ancestor::a)]")
NEAR = 3  # ancestors of a link that may be its target
MAX_PARTS = 60  # elements of a line before a link to it
TAB_LISTS = compile_path(".//@role[. = 'tablist']/.. | .//@class[contains(., 'tabbed-labels')]/..")
TABS = compile_path(".//label | .//*[@role = 'tab']")
PANELS = compile_path(
    "following::*[@role = 'tabpanel' or contains(@class, 'tabbed-block')][1]"
    "/../*[@role = 'tabpanel' or contains(@class, 'tabbed-block')]"
)
LABEL = "rubric"  # class that marks a paragraph as a title


def find_main(root: _Element) -> _Element | None:
    body = next(root.iter("body"), None)
    if body is None:
        return None
    likely = SHARE * measure(body)
    for place, find in enumerate(PLACES):
        least = MIN_CONTENT if place < EXPLICIT else likely
        if (found := find(root)) and measure(found[0]) >= least:
            return adjust(found[0])
    return adjust(body)


def adjust(main: _Element) -> _Element:
    """Narrow main content to its only article; widen it to its parent if a title precedes it."""
    articles: list[_Element] = ARTICLES(main)
    if len(articles) == 1 and measure(articles[0]) >= measure(main) / 2:
        main = articles[0]
    before, around = main.getprevious(), main.getparent()
    if around is None or before is None or main.find(".//h1") is not None:
        return main
    if before.tag == "div" and before.find(".//h1") is not None:
        return around
    return main


def measure(element: _Element) -> float:
    return cast("float", TEXT_LENGTH(element))


def remove_others(main: _Element) -> None:
    for element in MARKED(main):
        if f"|{element.get('role')}|" in ROLES or is_decoration(element):
            remove(element)
    remove_contents(main)
    for formula in FORMULAS(main):
        formula.tag = "math"
    controls = filter(is_control, main.iter("a", "span", "small"))
    empty = filter(is_empty, main.iter("header", "aside", "form"))
    links = filter(is_own_link, reversed(list(main.iter("a"))))
    for element in chain([*controls, *empty, *main.iter(*NO_CONTENT)], links):
        if element is not main:
            remove(element)


def is_empty(element: _Element) -> bool:
    content = elements.HEADING_TAGS if element.tag == "header" else ("p", "pre", "dt")
    return next(element.iter(*content), None) is None


def is_control(element: _Element) -> bool:
    if len(element) or (element.text or "").strip().lower() not in CONTROLS:
        return False
    around = element.getparent()
    is_own = (element.get("href") or "").startswith("#")
    return around is not None and around.tag not in PROSE and not is_own


def is_decoration(element: _Element) -> bool:
    if element.get("aria-hidden") != "true" or (
        element.tag == "a" and (element.get("id") or element.get("name"))
    ):
        return False
    around = element.getparent()
    words = [word for word in read_text(element).split() if any(map(str.isalpha, word))]
    return len(words) <= 1 or (around is not None and around.find(".//math") is not None)


def is_own_link(link: _Element) -> bool:
    """Return whether a link only points to itself; its heading or term then stores the anchor."""
    href = link.get("href") or ""
    text = read_text(link)
    is_symbol = bool(SYMBOLS.match(text)) and not OPERATOR.search(text)
    if not href.startswith("#"):
        is_icon = is_symbol and (text.strip() in ("", "#") or not text.isascii())
        return (is_icon and "#" in href and link.find(".//img") is None) or (
            text in ENDS and ends_block(link)
        )
    above = islice(link.iterancestors(), NEAR)
    named = next((ancestor for ancestor in above if ancestor.tag in NAMED), None)
    is_command = text.strip().lower() in COMMANDS
    if named is None or href == "#top" or is_command:
        if is_symbol:
            name_line(link, href[1:])
        return is_symbol or (is_command and named is not None)
    if is_symbol:
        named.set(elements.ANCHOR, href[1:])
    return is_symbol


def ends_block(link: _Element) -> bool:
    around, before = link.getparent(), link.getprevious()
    is_last = link.getnext() is None and not (link.tail or "").strip()
    if not is_last or around is None or around.tag not in ("p", "dd"):
        return False
    return before is not None or bool((around.text or "").strip())


def name_line(link: _Element, anchor: str) -> None:
    """Move the target of a link at the end of a line from a part to the whole line."""
    line, before = link.getparent(), list(islice(link.itersiblings(preceding=True), MAX_PARTS))
    target = next((part for part in before if anchor in (part.get("id"), part.get("name"))), None)
    if target is None or line is None or line.tag not in elements.BLOCKS or line.get("id"):
        return
    line.set("id", anchor)
    target.attrib.pop("id", "")
    target.attrib.pop("name", "")
    for part in before:
        if not len(part) and (part.text or "").strip().lower() in CONTROLS:
            remove(part)


def remove_contents(main: _Element) -> None:
    """Remove the page's tables of contents and their labels."""
    for items in list(main.iter(*elements.LISTS)):
        links = [link.get("href") or "" for link in items.iter("a")]
        if not links or not all(link.startswith("#") for link in links):
            continue
        label, after = items.getprevious(), items.getnext()
        named = "" if label is None else " ".join(read_text(label).split())
        is_contents = MENUS.fullmatch(named.lower()) or set(
            map(clean_fragment, BELOW(items))
        ).issuperset(clean_fragment(link[1:]) for link in links)
        if is_contents and not any(map(elements.LETTER.search, UNLINKED(items))):
            is_first = label is None or label.tag in NAMED or label.getprevious() is None
            is_last = after is None or after.tag in elements.HEADING_TAGS
            if label is not None and is_first and is_last and LABEL_TEXT.match(named):
                remove(label)
            remove(items)


def is_navigation_line(paragraph: str, *, within: bool) -> bool:
    """Return whether a paragraph, possibly within a list or table, is only a control's text."""
    if len(paragraph) > MAX_LENGTH or "`" in paragraph or (within and " " not in paragraph):
        return False
    plain = MARKUP.sub("", paragraph).strip().lower()
    return bool(MENUS.fullmatch(plain) or (not within and SYMBOLS.match(plain)))


def lay_out_tabs(root: _Element) -> None:
    """Show all panels, each below the label of its tab."""
    for tabs in TAB_LISTS(root):
        for label, panel in zip(TABS(tabs), PANELS(tabs), strict=False):
            panel.attrib.pop("hidden", None)
            panel.attrib.pop("style", None)
            label.attrib.clear()
            label.tag, label.attrib["class"] = "p", LABEL
            label.tail, panel.text = panel.text, None
            panel.insert(0, label)
