"""Find the main content of a page, and remove from it what is no content."""

import re
from typing import cast

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import elements
from hookwright_documentation.cutting.elements import compile_path, read_text, remove
from hookwright_documentation.cutting.markdown import strip_markup

MARKED_PLACES = ("//@role[.='main']/..", "//main", "//@id[.='apicontent']/..")
LIKELY_PLACES = (
    *("//article", "//@id[.='content']/..", "//@class[contains(concat(' ', ., ' '), ' body ')]/.."),
    *(f"//@id[.='{name}']/.." for name in ("docs-body", "main-content", "bd")),
)
PLACES = [
    (compile_path(f"({path})[1]"), path in MARKED_PLACES)
    for path in (*MARKED_PLACES, *LIKELY_PLACES)
]
MIN_CONTENT = 25  # characters of main content that is marked as such
SHARE = 0.3  # of a page's text, which other main content has at least
TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
ARTICLES = compile_path(".//article")

NO_CONTENT = (
    *("script", "head", "button", "input", "select", "textarea", "dialog", "nav", "footer"),
    *("label", "progress", "meter"),
)
NAVIGATION_CLASSES = """
nav navbar navigation navheader navfooter navlinks breadcrumb breadcrumbs theme-doc-breadcrumbs
wy-breadcrumbs related pager page-nav pagination pagination-nav prev-next prev-next-area
prev-next-bottom rst-footer-buttons sphinxsidebar sphinxsidebarwrapper md-sidebar md-header md-nav
md-source-file md-content__button sidebar-nav sidebar-drawer toc toc-drawer toc-wrapper
table-of-contents tableofcontents local-toc bd-toc bd-sidebar bd-sidebar-primary
bd-sidebar-secondary theme-doc-toc-mobile theme-doc-toc-desktop right-toc on-this-page footer
page-footer site-footer theme-doc-footer theme-last-updated last-updated edit-this-page
theme-edit-this-page edit-page edit-page-link edit-link edit-on-github github-edit viewcode-link
viewcode-back headerlink header-anchor hash-link anchorlink heading-anchor permalink copybtn
copy-btn copy-button copybutton btn-copy clipboard clipboard-copy copy-page copy-page-button
page-actions page-menu skip-link skip-to-content skip-nav skipnav katex-html cookie cookies
cookie-banner cookie-consent cookie-notice consent-banner ad ads adsbox advert advertisement
carbonads ethical-sidebar ethical-rst ethical-fixedheader ea-placement sponsor sponsors newsletter
feedback page-feedback helpful-widget share-buttons social-share searchbox search-form
version-switcher rst-versions announcement linenos linenodiv lineno linenumber line-number
line-numbers line-numbers-rows lnum gutter hljs-ln-numbers blob-num indexterm menu srclink toplang
bottomlang
"""
NAVIGATION = frozenset(NAVIGATION_CLASSES.split())
CONTENTS = frozenset(("topic", "local"))  # beside `contents`, which alone may be the main content
NAVIGATION_IDS = frozenset(
    ("toc", "sidebar", "footer", "breadcrumbs", "quickview", "comments_section", "path", "hd", "ft")
)
SECTION = re.compile(r"(?:^|\s)sect")  # a class of a section, whose ID is made of its heading
ROLES = frozenset(
    ("navigation", "search", "banner", "contentinfo", "menu", "menubar", "dialog", "alertdialog")
)
MARKED = compile_path("descendant::*[@aria-hidden or @role]")
NAMED = compile_path(".//*[@class or @id]")
MAY_BE_NAVIGATION = (  # without spans: highlighted code has one for each of its words
    *("a", "aside", "dd", "details", "div", "dl", "dt", "em", "figure", "form", "header", "i"),
    *("label", "li", "ol", "p", "pre", "section", "small", "strong", "summary", "table", "tbody"),
    *("td", "th", "thead", "tr", "ul"),
)
SPAN_NAVIGATION = re.compile(
    r"<span[^<>]{0,200}class=[\"']?[^\"'<>]{0,200}"
    r"(?:line-?n|lnum|gutter|viewcode|katex-html)"
)
SYMBOLS = re.compile(r"[\W_]*\Z")
MAX_LENGTH = 120  # characters
MENU = r"""
      copy(?:\ (?:page|link|code|url|to\ clipboard|as\ markdown|page\ as\ markdown))? | copied!?
    | (?:open|view|ask|chat|discuss|edit|explain|summarize)\ (?:this\ page\ )?
      (?:in|on|as|with|page|this|source|about)
      (?:\ (?:chatgpt|claude|gemini|grok|perplexity|copilot|cursor|vs\ ?code|markdown
      |plain\ text|github|gitlab|bitbucket|page|ai|this|on|in))+
    | edit(?:\ page)? | (?:view|show|page)\ source | suggest\ (?:an\ )?edits?
    | (?:report|raise)\ (?:an\ issue|a\ (?:bug|problem))(?:\ (?:on|with)\ (?:this\ page|github))?
    | found\ a\ (?:problem|bug|mistake) | (?:learn\ how\ to\ )?improve\ this\ page
    | submit\ a\ pull\ request | add\ a\ note
    | (?:expand|show|hide|collapse)\ (?:description|source) | (?:click\ to\ )?toggle\ source
    | skip\ to\ (?:main\ )?(?:content|navigation) | (?:back\ |go\ )?to\ top | scroll\ to\ top
    | on\ this\ page | accept\ (?:all\ )?cookies
    | (?:was\ this\ (?:page|article|section)\ helpful
      |did\ this\ (?:page|article)\ help(?:\ you)?)
      (?:\W*yes\W*no)?
"""
WAY = r"""
      in\ this\ article | table\ of\ contents | advertisement
    | \d+(?:\ min(?:ute)?s?\ read | \ (?:year|month|week|day|hour)s?\ ago)?
    | (?:prev(?:ious)?|next|home|up|down|top|index|modules)
      (?:\W+(?:prev(?:ious)?|next|home|up|down|top|index|modules))*
    | (?:next|previous)\ (?:page|article|topic|chapter):?.{0,60}
"""
MENUS = re.compile(rf"\W*(?:{MENU})(?:\s*[|•·]\s*(?:{MENU}))*\W*", re.IGNORECASE | re.VERBOSE)
MENU_TEXT = re.compile(r"\s*\[?(?:src|source|click to toggle source)\]?\s*", re.IGNORECASE)
PROSE = frozenset(("p", "li", "td", "th", "dd", "em", "strong", "b", "i"))
NAVIGATION_LINES = re.compile(rf"\W*(?:{MENU}|{WAY})\W*", re.IGNORECASE | re.VERBOSE)
PANELS = compile_path(".//@role[.='tabpanel']/..")
TABS = compile_path(".//@role[.='tab']/..")
TAB_LISTS = compile_path(".//@role[.='tablist']/..")
SETS = compile_path(".//div/@class[contains(concat(' ', ., ' '), ' tabbed-set ')]/..")
BLOCKS = compile_path(".//div[contains(concat(' ', @class, ' '), ' tabbed-block ')]")
LABELS = compile_path(".//label")
LEVELS = 3  # elements between a panel and what holds its tabs, too
LABEL = "rubric"  # the class of a title


def find_main(root: _Element) -> _Element | None:
    body = next(root.iter("body"), None)
    if body is None:
        return None
    likely = SHARE * measure(body)
    for find, is_marked in PLACES:
        for element in find(root):
            if measure(element) >= (MIN_CONTENT if is_marked else likely):
                return adjust(element)
    return adjust(body)


def adjust(main: _Element) -> _Element:
    """Return the only article in an element, and what is around that if a title precedes it."""
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


def remove_controls(main: _Element) -> None:
    for element in list(main.iter(*NO_CONTENT)):
        if element.tag == "script" and (element.get("type") or "").startswith("math/tex"):
            element.tag = "math"  # a formula for MathJax
        else:
            remove(element)
    for element in MARKED(main):
        if element.get("role") in ROLES or is_decoration(element):
            remove(element)


def remove_others(main: _Element, html: str) -> None:
    remove_controls(main)
    every = SPAN_NAVIGATION.search(html)
    for element in NAMED(main) if every else list(main.iter(*MAY_BE_NAVIGATION)):
        if is_navigation(element):
            move_anchor(element)
            remove(element)
    for link in list(main.iter("a")):
        if (link.get("href") or "").startswith("#") and SYMBOLS.match(read_text(link)):
            move_anchor(link)
            remove(link)
    for element in list(main.iter("header", "aside", "form")):
        content = elements.HEADING_TAGS if element.tag == "header" else ("p", "pre", "dt")
        if next(element.iter(*content), None) is None:
            remove(element)
    for element in list(main.iter("a", "span", "small")):
        around = element.getparent()
        is_menu = not len(element) and MENU_TEXT.fullmatch(element.text or "")
        if is_menu and around is not None and around.tag not in PROSE:
            remove(element)


def is_decoration(element: _Element) -> bool:
    if element.get("aria-hidden") != "true" or (
        element.tag == "a" and (element.get("id") or element.get("name"))
    ):
        return False
    words = [word for word in read_text(element).split() if any(map(str.isalpha, word))]
    return len(words) <= 1


def is_navigation(element: _Element) -> bool:
    names = set((element.get("class") or "").lower().split())
    is_contents = "contents" in names and not names.isdisjoint(CONTENTS)
    return (
        is_contents
        or not names.isdisjoint(NAVIGATION)
        or (
            (element.get("id") or "").lower() in NAVIGATION_IDS
            and element.tag in ("div", "ul", "p", "table")
            and not SECTION.search(element.get("class") or "")
        )
    )


def move_anchor(link: _Element) -> None:
    href, holder = link.get("href") or "", link.getparent()
    if link.tag != "a" or not href.startswith("#") or href == "#top":
        return
    for _ in range(2):
        if holder is not None and holder.tag not in elements.HEADING_TAGS and holder.tag != "dt":
            holder = holder.getparent()
    if holder is not None and (holder.tag in elements.HEADING_TAGS or holder.tag == "dt"):
        holder.set(elements.ANCHOR, elements.make_storable(href[1:]))


def is_navigation_line(paragraph: str, *, within: bool) -> bool:
    if len(paragraph) > 3 * MAX_LENGTH:
        return False
    plain = strip_markup(paragraph).strip()
    if within:
        return " " in plain and bool(MENUS.fullmatch(plain))
    return bool(NAVIGATION_LINES.fullmatch(plain) or MENUS.fullmatch(plain))


def lay_out_tabs(main: _Element) -> None:
    for tabs in SETS(main):
        own, blocks = LABELS(tabs), BLOCKS(tabs)
        pairs = zip(own, blocks, strict=True) if len(own) == len(blocks) else ()
        for label, block in pairs:
            insert_label(block, label)
            label.set("hidden", "hidden")
    panels = PANELS(main)
    labels = {tab.get("id"): tab for tab in TABS(main) if tab.get("id")} if panels else {}
    for panel in panels:
        label = labels.get(panel.get("aria-labelledby"))
        label = find_label(panel) if label is None else label
        if label is not None:
            panel.attrib.pop("hidden", None)
            panel.attrib.pop("style", None)
            insert_label(panel, label)
    for tabs in TAB_LISTS(main) if panels else ():
        tabs.set("hidden", "hidden")


def find_label(panel: _Element) -> _Element | None:
    around = panel.getparent()
    panels = [
        one for one in (around if around is not None else ()) if one.get("role") == "tabpanel"
    ]
    for _ in range(LEVELS):
        if around is None:
            return None
        if tabs := TABS(around):
            place = panels.index(panel)
            return tabs[place] if place < len(tabs) else None
        around = around.getparent()
    return None


def insert_label(panel: _Element, tab: _Element) -> None:
    label = etree.Element("p")
    label.set("class", LABEL)
    label.extend(list(tab))
    label.text, label.tail, panel.text = tab.text, panel.text, None
    panel.insert(0, label)
