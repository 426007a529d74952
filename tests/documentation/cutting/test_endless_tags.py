"""A tag with very many attributes is detected before a parser reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from hookwright_documentation.cutting.conversion import convert_page
from hookwright_documentation.cutting.endless_tags import MAX_ATTRIBUTES, SHORT, has_endless_tag
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.site.markup import parse

LONG = "<p>" + "x" * SHORT
MANY = " ".join(f"a{number}" for number in range(MAX_ATTRIBUTES + 1))
PIECES = (
    *("<p", "<a b=", "</p", "<!--", "-->", "--!>", "<script>", "</script>", "<style", "<!", "<?"),
    *(">", "/", "=", "'", '"', " ", "\n", "\x0b", "x", "<![CDATA[", "]]>", "<!doctype html"),
)


@pytest.mark.parametrize(
    "page",
    [
        f"<p {MANY}>",
        f"<P\n{MANY}>",
        f"<p/{MANY}>",
        f"<p b='>' {MANY}>",
        f"<p b='<script>' {MANY}>",
        f"<p b=<script> <p {MANY}>",
        f"<!--><p {MANY}>-->",
        f"<!-- --!><p {MANY}>-->",
        f"<!-- --><p {MANY}>",
        f"<!-- <p {MANY}>",
        f"<? <script ><p {MANY}></script>",
        f"</p <script><p {MANY}></script>",
        f"<script\x0b><p {MANY}></script>",
        f"<script></script><p {MANY}>",
        f'<!doctype html public "><script>"><p {MANY}>',
    ],
)
def test_endless_tag_is_detected(page: str) -> None:
    assert has_endless_tag(LONG + page)


@pytest.mark.parametrize(
    "page",
    [
        f"<p {MANY[: MANY.rindex(' ')]}>",
        "<p a1='x' b2=y c>" * 2_000,
        f"<script>if (a <b && {MANY})</script>",
        f"<style>a <b {MANY}</style>",
        f"<!-- <p {MANY}> -->",
        f"<p>{MANY}</p>",
        f"a < b {MANY}",
    ],
)
def test_other_text_is_not_an_endless_tag(page: str) -> None:
    assert not has_endless_tag(LONG + page)


@given(st.lists(st.sampled_from([*PIECES, f" {MANY} "]), max_size=12))
def test_tags_the_parser_reads_are_detected(pieces: list[str]) -> None:
    page = LONG + "".join(pieces)
    root = etree.fromstring(page.encode(), etree.HTMLParser(huge_tree=True))
    most = max(len(element.attrib) for element in root.iter(etree.Element))
    assert has_endless_tag(page) or most <= MAX_ATTRIBUTES


def test_page_with_an_endless_tag_is_rejected() -> None:
    tag = " ".join(f"a{number:x}" for number in range(200_000))  # takes the parser a minute
    html = f"<html><body><a href='x'>x</a><p {tag}>Some words that nobody reads.</p></body></html>"
    for body in (html.encode(), html.encode("utf-16")):
        assert parse(body) is None
    fetched = FetchedPage("https://acme.example/", "text/html", html.encode())
    assert convert_page(fetched, "2026-01-01", "", "") is None
