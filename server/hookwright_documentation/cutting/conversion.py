"""Convert a fetched page to markdown."""

import re
from collections.abc import Collection
from contextlib import suppress
from itertools import dropwhile
from urllib.parse import unquote, urldefrag, urlsplit

from lxml import etree
from lxml.etree import _Element

from hookwright_documentation.cutting import text_files
from hookwright_documentation.cutting.blocks import MAX_PAGE, PageWriter
from hookwright_documentation.cutting.elements import compile_path
from hookwright_documentation.cutting.inline_text import clean_inline
from hookwright_documentation.cutting.licenses import find_license
from hookwright_documentation.cutting.main_content import find_main, lay_out_tabs, remove_others
from hookwright_documentation.cutting.markdown import join, read_heading, strip_markup
from hookwright_documentation.cutting.site import MAX_TITLE, PARTS, WORD
from hookwright_documentation.cutting.visibility import drop_raw, remove_hidden
from hookwright_documentation.pages import Draft, FetchedPage, Page

HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
TEXT_TYPES = text_files.MARKDOWN_TYPES | text_files.REST_TYPES | {"text/plain"}
LOOKS_LIKE_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype|!--|html|head|body)\b", re.IGNORECASE
)
TITLE_ENDS = re.compile(r" (?:[|»·—\u2013-]|::) ")
TIMES = 10  # maximum ratio of markdown to HTML; repeated cells and indented lists add text
MIN_ROOM = 100_000  # characters of markdown allowed for any page
MAX_BODY = 20_000_000  # bytes: more than any readable page; the tree needs 35 times as much memory
LARGE_BODY = 5_000_000  # characters; larger HTML must consist mostly of embedded images or scripts
MAX_TEXT = 1_000_000  # characters of text, plus one per tag, in such a page
SCRIPTS = re.compile(r"<(script|style|svg)\b.*?(?:</\1|\Z)", re.IGNORECASE | re.DOTALL)
TAGS = re.compile(r"<[^<>]*>?")
# Characters that lxml parses, but refuses in a text to set.
UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Tags that only add nesting, removed from pages that are nested too deeply. Tags that may hide
# content are kept.
MARKS = re.compile(
    r"</?(?:div|section|article|blockquote|center|ul|ol|li|dl|dd|dt|span|b|i|u|em|strong|big|small"
    r"|tt|font)(?:\s+(?:size|color|face)=(?:\"[\w#+-]*\"|'[\w#+-]*'|[\w#+-]+))*\s*>",
    re.IGNORECASE,
)
TITLE = etree.XPath("string(/html/head/title)")
SHARED_TITLE = etree.XPath("string(/html/*/meta[@property='og:title']/@content)")
BASE = compile_path("/html/*/base/@href")
OF_HEAD = frozenset(("base", "link", "meta", "noscript", "script", "style", "template", "title"))


def draft_page(
    fetched: FetchedPage, linked: Collection[str], crawled: str, version: str, known_license: str
) -> Draft | None:
    """Return a page's draft, or None if it has no content; `linked` are its linked fragments."""
    html = find_html(fetched)
    is_long = len(html) > LARGE_BODY and len(TAGS.sub(" ", SCRIPTS.sub(" ", html))) > MAX_TEXT
    root = None if is_long or not html.strip() else parse(drop_raw(html))
    if root is None:
        return None
    _elements = [*root.iter()]  # lxml creates them in each pass otherwise
    lay_out_tabs(root)
    remove_hidden(root)
    if (main := find_main(root)) is None:
        return None
    spdx = known_license or find_license(root)
    names = [
        " ".join(clean_inline(str(find(root))).split())[:MAX_TITLE]
        for find in (TITLE, SHARED_TITLE)
    ]
    base = next(filter(None, map(str.strip, BASE(root))), "")
    remove_others(main)
    room = min(max(TIMES * len(html), MIN_ROOM), MAX_PAGE)
    blocks = PageWriter(main, linked, base and join(fetched.url, base), room).blocks
    if not WORD.search("".join(blocks)):
        return None
    url = urldefrag(fetched.url).url
    place = urlsplit(url)
    last = clean_inline(unquote(place.path.rstrip("/").rpartition("/")[2]))
    titles = (choose_title(blocks, names[0]), next(iter(list_titles(blocks)), ""), *names)
    title = titles[0] or last or place.netloc or url
    text = "\n\n".join(blocks) + "\n"
    return Draft(Page(url, title[:MAX_TITLE], version, spdx, crawled, text), titles)


def find_html(fetched: FetchedPage) -> str:
    media_type = fetched.content_type.partition(";")[0].strip().lower()
    is_binary = media_type not in ("", "application/octet-stream") or b"\0" in fetched.body[:1_000]
    if len(fetched.body) > MAX_BODY or (media_type not in HTML_TYPES | TEXT_TYPES and is_binary):
        return ""
    text = text_files.decode(fetched.body, fetched.content_type)
    text = UNSTORABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    may_be_html = media_type not in text_files.MARKDOWN_TYPES
    if media_type in HTML_TYPES or (may_be_html and LOOKS_LIKE_HTML.match(text)):
        return text
    if len(text) > LARGE_BODY:
        return ""
    if media_type in text_files.REST_TYPES:
        from hookwright_documentation.cutting.restructured_text import render_rest

        with suppress(ValueError):
            return render_rest(text)
    elif text_files.is_markdown(fetched.url, media_type, text):
        return text_files.render_markdown(text, has_anchors=text_files.GFM in fetched.content_type)
    return text_files.render_text(text)


def parse(html: str, *, is_flat: bool = False) -> _Element | None:
    root: _Element | None = None  # stays None for a page that is only a comment
    with suppress(etree.XMLSyntaxError):
        parser = etree.HTMLParser(
            encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
        )
        root = etree.fromstring(html.encode("utf-8", "replace"), parser)
    if root is None:
        return None
    if not is_flat and any("Excessive depth" in entry.message for entry in parser.error_log):
        return parse(MARKS.sub("<br>", html), is_flat=True)
    head, body = root.find("head"), root.find("body")
    strays = [] if head is None else list(dropwhile(lambda element: element.tag in OF_HEAD, head))
    if strays:  # elements that are not allowed in a head; pages may omit the body tag
        body = etree.SubElement(root, "body") if body is None else body
        body[:0] = strays
    return root


def choose_title(blocks: list[str], named: str) -> str:
    """Return a page's likeliest title, judged from this page alone."""
    headings = list_titles(blocks)
    ends = list(TITLE_ENDS.finditer(named))
    name = named[: ends[-1].start()] if ends else named
    head = next((place for place, block in enumerate(blocks) if block.startswith("#")), 0)
    top = set(map(read_line, blocks[: head + 1]))
    borders = list(PARTS.finditer(name))
    starts = [0, *(border.end() for border in borders)]
    parts = (name[start : border.start()] for start in starts for border in borders)
    if lines := top.intersection((named, *(name[start:] for start in starts), *parts)) - {""}:
        return max(lines, key=len)
    if name and (near := next((heading for heading in headings if name in heading), "")):
        return near
    if headings and (len(headings) == 1 or headings[0] in named or not name):
        return headings[0]
    first = read_heading(blocks[0])
    return first if first and first in named else name or first


def list_titles(blocks: list[str]) -> list[str]:
    return [title for block in blocks if block[:2] == "# " and (title := read_heading(block))]


def read_line(block: str) -> str:
    if block.startswith("#"):
        return read_heading(block)
    return strip_markup(block) if "\n" not in block and len(block) <= MAX_TITLE else ""
