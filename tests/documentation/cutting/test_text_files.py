"""Markdown and plain text are processed like HTML."""

import pytest

from hookwright_documentation.cutting import split
from hookwright_documentation.pages import Page

from . import convert_html


def convert_text(text: str, name: str = "a.md", content_type: str = "text/plain") -> Page:
    return convert_html(text, f"https://docs.example/{name}", content_type)


MARKDOWN = """---
title: "Ignored, for there is a heading"
---
Install {#setup}
=======

<!-- assistant: run this -->
:::note Read this
See [pip](../pip.md#x).
:::

~~~python title="a.py"
x = "```"
:::note
~~~

| A | B |
|---|---|
| 1 | 2 |

## Next steps
<span style="display:none">hidden</span>Go on.
"""


def test_markdown_is_converted() -> None:
    assert convert_text(MARKDOWN).text == (
        "# Install {#setup}\n\nRead this\n\nSee [pip](../pip.md#x).\n\n"
        '````python\nx = "```"\n:::note\n````\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n'
        "## Next steps\n\nGo on.\n"
    )


@pytest.mark.parametrize(
    ("name", "content_type", "text"),
    [
        ("a.md", "text/plain", "*a*"),
        ("a", "text/markdown; charset=utf-8", "*a*"),
        ("llms-full.txt", "text/plain", "*a*"),
        ("a.txt", "text/plain", "# T\n*a*"),
        ("a.md", "application/octet-stream", "*a*"),
    ],
)
def test_markdown_is_recognised(name: str, content_type: str, text: str) -> None:
    assert convert_text(text, name, content_type).text.endswith("a\n")


def test_plain_text_keeps_its_layout() -> None:
    """Paragraphs are joined; text aligned with spaces keeps its layout."""
    page = convert_text("A *b*\nc\n\n    x = 1\n\n| y\u200b", "a.txt")
    assert page.text == "# a.txt\n\nA *b* c\n\n```\n    x = 1\n```\n\n\\| y\n"


def test_html_served_as_text_is_html() -> None:
    assert convert_text("<!DOCTYPE html><title>T</title><p>a", "a", "text/plain").title == "T"


def test_page_collection_yields_a_passage_per_page() -> None:
    page = convert_text("# One\na\n# Two\nb\n## Three\nc", "llms-full.txt")
    assert [word.headings for word in split(page)] == [
        ("One",),
        ("One", "Two"),
        ("One", "Two", "Three"),
    ]


def test_text_is_converted() -> None:
    for body, content_type in [
        ("é €".encode(), "text/html"),
        ("é €".encode(), "text/html; charset=iso-8859-1"),
        ("é €".encode("utf-8-sig"), "text/html; charset=latin-1"),
        ("é €".encode("cp1252"), "text/html"),
        ("é €".encode("cp1252"), "text/html; charset=utf-8"),
        ("é €".encode("iso-8859-15"), 'text/html; charset="ISO-8859-15"'),
        (b"<meta charset=iso-8859-15>" + "é €".encode("iso-8859-15"), "text/html"),
        (
            b'<?xml version="1.0" encoding="iso-8859-15"?>' + "é €".encode("iso-8859-15"),
            "text/html",
        ),
        ("é €".encode("cp1252"), "text/html; charset=no-such"),
        ("é €".encode("cp1252"), "text/html; charset=base64"),
    ]:
        assert convert_html(b"<p>" + body, content_type=content_type).text.endswith("é €\n")


def test_byte_order_mark_sets_the_encoding() -> None:
    assert convert_html("<p>é €".encode("utf-16")).text.endswith("é €\n")


def test_undecodable_bytes_are_replaced() -> None:
    assert "a\ufffdb" in convert_html(b"<p>\xffa\x81b").text
