"""Bytes are read as what they are, whatever the site declares."""

import pytest

from . import convert_html


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("é €".encode(), "text/html"),
        ("é €".encode(), "text/html; charset=iso-8859-1"),
        ("é €".encode("utf-8-sig"), "text/html; charset=latin-1"),
        ("é €".encode("cp1252"), "text/html"),
        ("é €".encode("cp1252"), "text/html; charset=utf-8"),
        ("é €".encode("iso-8859-15"), "text/html; charset='ISO-8859-15'"),
        (b"<meta charset=iso-8859-15>" + "é €".encode("iso-8859-15"), "text/html"),
        ("é €".encode("cp1252"), "text/html; charset=no-such"),
        ("é €".encode("cp1252"), "text/html; charset=base64"),
    ],
)
def test_text_is_read(body: bytes, content_type: str) -> None:
    assert convert_html(b"<p>" + body, content_type=content_type).text.endswith("é €\n")


def test_mark_at_the_beginning_counts() -> None:
    assert convert_html("<p>é €".encode("utf-16")).text.endswith("é €\n")


def test_bytes_that_mean_nothing_are_replaced() -> None:
    assert "a\ufffdb" in convert_html(b"<p>\xffa\x81b").text
