"""Links, language and rules for robots are read from HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from hookwright_documentation.crawl.markup import (
    MAX_ATTRIBUTES,
    MAX_LINKS,
    MAX_READ,
    SHORT,
    has_endless_tag,
    parse,
    read_markup,
    read_words,
)
from hookwright_documentation.cutting.conversion import convert_page
from hookwright_documentation.pages import FetchedPage

from ...support.hypothesis_profiles import mark_long
from ...support.processor_limit import limit_processor

URL = "https://docs.example.org/a/b.html"
LONG = "<p>" + "x" * SHORT
MANY = " ".join(f"a{number}" for number in range(MAX_ATTRIBUTES + 1))
PIECES = (
    *("<p", "<a b=", "</p", "<!--", "-->", "--!>", "<script>", "</script>", "<style", "<!", "<?"),
    *(">", "/", "=", "'", '"', " ", "\n", "\x0b", "x", "<![CDATA[", "]]>", "<!doctype html"),
)


def test_links_are_absolute_and_each_once() -> None:
    body = b"<base href=/c/><a href=x#1>1</a><a href=x#2>2</a><a href=''>3</a><area href=//e.org/y>"
    assert read_markup(URL, body).links == ("https://docs.example.org/c/x", "https://e.org/y")


@pytest.mark.parametrize("rule", ["noindex", "NOINDEX, follow", "none"])
def test_noindex_is_read(rule: str) -> None:
    assert not read_markup(URL, f'<meta name="Robots" content="{rule}">'.encode()).index
    assert not read_markup(URL, b"<p>text", rule).index


def test_nofollow_is_read() -> None:
    assert not read_markup(URL, b'<meta name=robots content="index, nofollow">').follow


def test_head_is_read() -> None:
    markup = read_markup(
        URL,
        b'<html lang=en-US><link rel=canonical href="/a/"><link rel=alternate hreflang=FR href=fr>',
    )
    assert markup.language == "en-us"
    assert markup.canonical == "https://docs.example.org/a/"
    assert markup.alternates == {"fr": "https://docs.example.org/a/fr"}


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=c.html", "https://docs.example.org/a/c.html"),
        ("5;URL='c.html'", "https://docs.example.org/a/c.html"),
        ("300; url=c.html", ""),
        ("30", ""),
        ("soon; url=c.html", ""),
    ],
)
def test_refresh_sends_on(content: str, target: str) -> None:
    """A refresh within seconds is a redirect; a later one reloads."""
    body = f'<meta http-equiv="Refresh" content="{content}">'.encode()
    assert read_markup(URL, body).refresh == target


@pytest.mark.parametrize(
    "body", [b"", b"\x00\xff", b"<", b"<html lang", b"<p>" * 20_000, b"<a href='\xff\xfe'>"]
)
def test_broken_html_is_read(body: bytes) -> None:
    assert read_markup(URL, body).index


def test_words_are_what_a_reader_sees() -> None:
    body = (
        b"<head><title>T</title></head><body><script>x</script><style>y</style><p>Hello <b>you</b>"
    )
    assert read_words(body) == "Hello you"


@pytest.mark.parametrize("link", ["<a href=/x%d>", *mark_long(["<a href=/x>"])])
def test_flood_of_links_is_cut(link: str) -> None:
    body = "".join(link % n if "%" in link else link for n in range(200_000)).encode()
    with limit_processor():
        assert len(read_markup("https://e.org/", body).links) in (1, MAX_LINKS)
    assert read_markup("https://e.org/", b"<a href=" + b"x" * 5_000 + b">").links == ()


def test_huge_page_is_read_up_to_a_limit() -> None:
    body = b"<html lang=fr><a href=/x>" + b"word " * (MAX_READ // 5) + b"<a href=/y>"
    assert read_markup("https://e.org/", body).links == ("https://e.org/x",)


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
def test_endless_tag_is_found(page: str) -> None:
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
def test_other_text_is_none(page: str) -> None:
    assert not has_endless_tag(LONG + page)


@given(st.lists(st.sampled_from([*PIECES, f" {MANY} "]), max_size=12))
def test_what_the_parser_reads_is_found(pieces: list[str]) -> None:
    page = LONG + "".join(pieces)
    root = etree.fromstring(page.encode(), etree.HTMLParser(huge_tree=True))
    most = max(len(element.attrib) for element in root.iter(etree.Element))
    assert has_endless_tag(page) or most <= MAX_ATTRIBUTES


def test_page_with_one_is_no_page() -> None:
    tag = " ".join(f"a{number:x}" for number in range(200_000))  # a minute for the parser
    html = f"<html><body><a href='x'>x</a><p {tag}>Some words that nobody reads.</p></body></html>"
    for body in (html.encode(), html.encode("utf-16")):
        assert parse(body) is None
    fetched = FetchedPage("https://acme.example/", "text/html", html.encode())
    assert convert_page(fetched, "2026-01-01", "", "") is None
