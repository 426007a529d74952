"""Any page is converted to markdown that keeps its structure and text."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting import read_page, split, write_page
from hookwright_documentation.cutting.markdown import FENCED
from hookwright_documentation.cutting.page_files import has_open_fence
from hookwright_documentation.pages import FetchedPage, Page
from hookwright_documentation.sources.site.markup import read_markup

from ...support.converted_pages import convert_page
from ...support.processor_limit import limit_processor
from . import CRAWLED, URL

TAGS = (
    *("p", "div", "section", "h1", "h2", "h4", "pre", "code", "a", "span", "em", "ul", "ol", "li"),
    *("dl", "dt", "dd", "table", "thead", "tr", "td", "th", "blockquote", "details", "sup", "b"),
    *("main", "article", "br", "img", "math", "label", "script", "nav"),
)
ATTRIBUTES = (
    *("", "", "", ' id="a"', ' id="b}c {#d"', ' href="#x"', ' href="../y.html#z"', ' class="sig"'),
    *(' class="admonition-title"', ' rowspan="3"', ' colspan="99"', ' alt="alt](x)"'),
    *(' class="tabbed-set"', ' class="highlight-python"', ' href="https://e.example/(a b)"'),
    *(' role="presentation"', ' start="7"'),
)
TEXTS = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="`#-|>~=*_[](){}\\<!\n \t1.a\u200b\u202e\ufe0f", max_size=14),
    st.sampled_from(
        (
            "```",
            "---",
            "# x {#forged}",
            "](#x)",
            "word",
            "[",
            "| a | b |",
            "`",
            "\\",
            "\u200b#",
            "#",
        )
    ),
)


@st.composite
def elements(draw: st.DrawFn, content: st.SearchStrategy[str]) -> str:
    tag = draw(st.sampled_from(TAGS))
    attributes = draw(st.sampled_from(ATTRIBUTES))
    inner = "".join(draw(st.lists(content, max_size=4)))
    return f"<{tag}{attributes}>{inner}" + draw(st.sampled_from((f"</{tag}>", f"</{tag}>", "")))


ESCAPED = TEXTS.map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
PAGES = st.lists(st.recursive(ESCAPED, elements, max_leaves=25), min_size=1, max_size=5).map(
    "".join
)


def convert_any(html: str) -> Page | None:
    body = html.encode("utf-8", "replace")
    return convert_page(FetchedPage(URL, "text/html; charset=utf-8", body), CRAWLED)


@given(st.one_of(PAGES, st.text(), st.binary().map(lambda body: body.decode("latin-1"))))
def test_any_page_is_converted(html: str) -> None:
    page = convert_any(html)
    if page is None:
        return
    assert remove_hidden(page.text) == page.text
    assert not has_open_fence(page.text)
    for passage in split(page):
        assert not has_open_fence(passage.text)
        assert passage.headings[0] == page.title
        assert passage.url == URL


@given(st.binary(max_size=400), st.sampled_from(("", "text/html", "text/plain", "text/markdown")))
def test_any_bytes_are_parsed(body: bytes, content_type: str) -> None:
    page = convert_page(FetchedPage(URL, content_type, body), CRAWLED)
    assert page is None or split(page)


@given(PAGES)
def test_passages_cover_the_page(html: str) -> None:
    page = convert_any(html)
    if page is None:
        return
    passages = split(page)
    known = " ".join(text for passage in passages for text in (*passage.headings, passage.text))
    plain = re.sub(r"\]\([^()\s<>]*\)| \{#[^\s{}]+(?: #[^\s{}]+)*\}", " ", page.text)
    words, covered = (re.findall(r"[^\W_]+", re.sub(r"[`\\]", "", text)) for text in (plain, known))
    assert set(words) <= set(covered)


@given(PAGES)
def test_anchors_come_only_from_elements(html: str) -> None:
    page = convert_any(html)
    for passage in split(page) if page else ():
        assert "forged" not in (passage.anchor, *passage.aliases)


@given(PAGES)
def test_written_page_can_be_read_back(html: str) -> None:
    page = convert_any(html)
    if page is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = write_page(page, Path(folder))
        assert read_page(path) == page


@pytest.mark.parametrize("text", ["```", "````", " ```x", "``` a``b ```"])
def test_fence_is_distinguished_from_inline_code(text: str) -> None:
    assert bool(FENCED.match(text)) == ("b" not in text)


def test_links_of_a_page_with_an_endless_tag_are_read() -> None:
    tag = " ".join(f"a{number:x}" for number in range(200_000))  # building a tree is slow
    html = f"<html><body><a href='x'>x</a><p {tag}>Some words that nobody reads.</p></body></html>"
    with limit_processor():
        for charset in ("utf-8", "utf-16"):
            links = read_markup(URL, html.encode(charset)).links
            assert [*links] == ["https://docs.example/guide/x"]
