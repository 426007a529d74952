"""Tests of hookwright_documentation.cutting."""

from hookwright_documentation.pages import FetchedPage, Page

from ...support.converted_pages import convert_page

URL = "https://docs.example/guide/page.html"
CRAWLED = "2026-11-23"


def convert_html(html: str | bytes, url: str = URL, content_type: str = "text/html") -> Page:
    body = html.encode() if isinstance(html, str) else html
    page = convert_page(FetchedPage(url, content_type, body), CRAWLED)
    assert page is not None
    return page


def convert_body(body: str) -> str:
    text = convert_html(f"<body><main><h1>T</h1>{body}</main></body>").text
    return text.removeprefix("# T\n").strip("\n")
