"""Links, language and robots rules are extracted from HTML."""

import pytest

from hookwright_documentation.sources.site.markup import (
    MAX_LINKS,
    MAX_READ,
    read_markup,
    read_words,
)

from ....support.hypothesis_profiles import mark_long
from ....support.processor_limit import limit_processor

URL = "https://docs.example.org/a/b.html"


def test_links_are_absolute_and_unique() -> None:
    body = b"<base href=/c/><a href=x#1>1</a><a href=x#2>2</a><a href=''>3</a><area href=//e.org/y>"
    assert [*read_markup(URL, body).links] == ["https://docs.example.org/c/x", "https://e.org/y"]


@pytest.mark.parametrize("rule", ["noindex", "NOINDEX, follow", "none"])
def test_noindex_is_read(rule: str) -> None:
    assert not read_markup(URL, f'<meta name="Robots" content="{rule}">'.encode()).index
    assert not read_markup(URL, b"<p>text", rule).index


def test_nofollow_is_read() -> None:
    assert not read_markup(URL, b'<meta name=robots content="index, nofollow">').follow


def test_head_is_parsed() -> None:
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
        ("0; url=c.html?x=it's", "https://docs.example.org/a/c.html?x=it%27s"),
        (".5; url=c.html", "https://docs.example.org/a/c.html"),
        ("300; url=c.html", ""),
        ("; url=c.html", ""),
        ("30", ""),
        ("soon; url=c.html", ""),
    ],
)
def test_meta_refresh_is_a_redirect(content: str, target: str) -> None:
    body = f'<meta http-equiv="Refresh" content="{content}">'.encode()
    assert read_markup(URL, body).refresh == target


@pytest.mark.parametrize(
    "body", [b"", b"\x00\xff", b"<", b"<html lang", b"<p>" * 20_000, b"<a href='\xff\xfe'>"]
)
def test_malformed_html_is_parsed(body: bytes) -> None:
    assert read_markup(URL, body).index


def test_words_are_visible_text() -> None:
    body = (
        b"<head><title>T</title></head><body><script>x</script><style>y</style><p>Hello <b>you</b>"
    )
    assert read_words(body) == "Hello you"


@pytest.mark.parametrize("link", ["<a href=/x%d>", *mark_long(["<a href=/x>"])])
def test_excess_links_are_dropped(link: str) -> None:
    body = "".join(link % n if "%" in link else link for n in range(200_000)).encode()
    with limit_processor():
        assert len(read_markup("https://e.org/", body).links) in (1, MAX_LINKS)
    assert read_markup("https://e.org/", b"<a href=" + b"x" * 5_000 + b">").links == {}


def test_huge_page_is_parsed_up_to_a_limit() -> None:
    body = b"<html lang=fr><a href=/x>" + b"word " * (MAX_READ // 5) + b"<a href=/y>"
    assert [*read_markup("https://e.org/", body).links] == ["https://e.org/x"]
