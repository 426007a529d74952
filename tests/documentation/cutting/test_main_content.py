"""Only a page's main content is kept, without invisible parts."""

import pytest

from hookwright_documentation.pages import FetchedPage

from ...support.converted_pages import convert_page
from . import CRAWLED, URL, convert_body, convert_html

TEXT = "<h1>T</h1><p>The words of a page that has enough of them.</p>"
AROUND = "<div><p>Other words, which lead elsewhere on the site.</p></div>"


def test_main_content_is_found() -> None:
    for page in [
        f"{AROUND}<div role=main>{TEXT}</div>",
        f"{AROUND}<main>{TEXT}</main>",
        f"{AROUND}<article>{TEXT}</article>",
        f"{AROUND}<div id=content>{TEXT}</div>",
        f"{AROUND}<div class='document body'>{TEXT}</div>",
        f"<main><div><p>Other words</div><article>{TEXT}</article></main>",
        f"<nav>{AROUND}</nav><header>{AROUND.replace('p>', 'b>')}</header>{TEXT}<footer>x</footer>",
        f"<div role=navigation>{AROUND}</div>{TEXT}<div role=contentinfo>x</div>",
        f"{AROUND * 9}<main>{TEXT}</main>",
    ]:
        assert convert_html(f"<body>{page}</body>").text == (
            "# T\n\nThe words of a page that has enough of them.\n"
        )


def test_body_tag_is_optional() -> None:
    for first in ["main", "article", "section", "custom-part"]:
        for last in ["<meta charset=utf-8>", "<script>x</script>", "</head>"]:
            page = convert_html(f"<!doctype html><title>T</title>{last}<{first}>{TEXT}</{first}>")
            assert page.text == "# T\n\nThe words of a page that has enough of them.\n"


def test_title_before_the_content_is_included() -> None:
    page = convert_html(
        "<div id=header><h1>git-add(1)</h1><p>git-add - Add files</div>"
        "<div id=content><h2>SYNOPSIS</h2><p>git add</div><footer>x</footer>"
    )
    assert (
        page.text
        == "# git-add(1) {#header}\n\ngit-add - Add files\n\n## SYNOPSIS {#content}\n\ngit add\n"
    )


def test_navigation_is_left_out() -> None:
    for navigation in [
        "<nav>x</nav>",
        "<div role=navigation>x</div>",
        "<h3>Contents</h3><ul><li><a href=#x>x</a><ul><li>1.1 <a href=#y>y</a></ul></ul>",
        "<div><h3>Contents</h3><ol><li><a href=#x>x</a></ol></div>",
        "<p>On this page<ul><li><a href=#x>x</a></ul>",
        "<p><a href=x>Next</a> Up: <a href=y>y</a>",
        "<table><tr><th colspan=2>x<tr><td><a href=x>Prev</a><td><a href=y>Next</a></table>",
        "<a href=x>[source]</a>",
        "<details><summary>Source</summary></details>",
        "<div>·</div>",
        "<header><a href=x>x</a></header>",
        "<aside><ul><li>x</ul></aside>",
        "<p><a href=x>Edit on GitHub</a>",
        "<ul><li>Copy page</li><li><a href=x>Open in ChatGPT</a></li><li>View as Markdown</ul>",
        "<p><a href=x>Previous</a> <a href=x>Next</a>",
        "<p>« <a href=x>previous</a> | <a href=x>up</a> | <a href=x>next</a> »",
        "<p>Was this page helpful? Yes No",
        "<p>Skip to main content",
        "<a href=#a>Skip navigation links</a>",
        "<h2><a href=#a><b>top</b></a> <a href='#'>collapse</a></h2>",
        "<a href='#top'>↑</a>",
        "<h3>Found A Problem?</h3><p><a href=x>Improve This Page</a> • <a href=y>Report a Bug</a>",
        "<div><div><a href=x>up</a></div><div><a href=y>down</a></div><div>7</div></div>",
        "<form><label>Language:</label><select><option>x</select></form>",
    ]:
        assert convert_body(f"<p>a</p>{navigation}") == "a"


def test_table_of_contents_is_left_out() -> None:
    links = "<ul><li><a href=#a>A</a><ul><li>1.1 <a href=#b>B</a></ul></ul>"
    sections = "<h2 id=a>A</h2><p>x<h3 id=b>B</h3><p>y"
    written = "## A {#a}\n\nx\n\n### B {#b}\n\ny"
    assert convert_body(f"<p>Words.{links}{sections}") == f"Words.\n\n{written}"
    assert convert_body(f"<div><p>Parts{links}</div>{sections}") == written
    assert convert_body(f"{sections}{links}").endswith("[A](#a)\n  - 1.1 [B](#b)")
    assert convert_body(f"{links.replace('</ul>', ' is best</ul>', 1)}{sections}").startswith("- ")


@pytest.mark.parametrize(
    "content",
    [
        "<section id=cookies><h2>Cookies</h2><p>x</section>",
        "<div class=section id=toc><h2>TOC</h2><p>x</div>",
        "<h2 id=footer>Footer</h2><p>x",
        "<table><tr><th>Key<th>Word<tr><td>COPY<td>NEXT<tr><td>x<td>Next page</table>",
        "<p>Next, open the page in an editor: x",
        "<aside class='starlight-aside'><p>x</aside>",
        "<header><h2>Options</h2></header><p>x",
        "<p id=b>See <a href=#b><tt>&lt;&lt;</tt> COPY</a>, <a href=#b>NEXT</a>, x",
    ],
)
def test_content_resembling_navigation_is_kept(content: str) -> None:
    body = convert_body(f"<p>a</p>{content}")
    assert "x" in body
    assert all(word in body for word in ("COPY", "NEXT", "Next page") if word in content)


def test_heading_named_like_a_control_is_kept() -> None:
    assert (
        convert_body("<h2 id=source><a href=#source>Source</a></h2>x") == "## Source {#source}\n\nx"
    )


def test_function_named_like_a_control_is_kept() -> None:
    method = "<h3 id=copy()>copy</h3><p><code>copy()</code><p>Copies a stack."
    assert convert_body(method) == "### copy {#copy()}\n\n`copy()`\n\nCopies a stack."


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("", "<h1>re — Regular expressions</h1>x", "re — Regular expressions"),
        ("<title>File system | Node.js v18</title>", "<h2>File system</h2>x", "File system"),
        ("<title>Install - Guide - Project</title>", "<p>x", "Install - Guide"),
        ("<title>Install</title>", "<p>x", "Install"),
        ("", "<h3>First</h3>x", "First"),
        ("", "<p>a<h1>B</h1>x", "B"),
        ("", "<p>x", "page.html"),
        ("<title>a\u200b\n b</title>", "<p>x", "a b"),
    ],
)
def test_title_comes_from_the_page(head: str, body: str, title: str) -> None:
    page = convert_html(f"<head>{head}</head><body>{body}")
    assert page.title == title
    assert page.text.count(f"# {title}\n") == 1


@pytest.mark.parametrize(
    "body",
    ["", " ", "<script>x</script>", "<p>—</p>", "<noscript>Enable JavaScript</noscript>", "\0"],
)
def test_page_without_content_is_rejected(body: str) -> None:
    assert convert_page(FetchedPage(URL, "text/html", body.encode()), CRAWLED) is None


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "text/css"])
def test_other_media_types_are_rejected(content_type: str) -> None:
    assert convert_page(FetchedPage(URL, content_type, b"<p>x"), CRAWLED) is None


def test_endless_page_is_rejected() -> None:
    assert convert_page(FetchedPage(URL, "text/html", b"<p>x" + b" " * 20_000_000), CRAWLED) is None


def test_fragment_is_removed_from_the_url() -> None:
    assert convert_html("<p>x", URL + "#a").url == URL


@pytest.mark.parametrize(
    ("head", "spdx"),
    [
        (
            "<link rel=license href='https://creativecommons.org/licenses/by-sa/4.0/'>",
            "CC-BY-SA-4.0",
        ),
        ("<link rel=license href='https://opensource.org/licenses/BSD-3-Clause'>", "BSD-3-Clause"),
        ("<meta name=license content=mit>", "MIT"),
        ("<meta name=license content='Run this; you may'>", ""),
        ("", ""),
    ],
)
def test_license_is_recognised(head: str, spdx: str) -> None:
    """A page names its licence by URL or identifier; other values are dropped."""
    assert convert_html(f"<head>{head}</head><body><p>x").license == spdx


def test_explicit_license_takes_precedence() -> None:
    body = b"<meta name=license content=mit><p>x"
    page = convert_page(FetchedPage(URL, "text/html", body), CRAWLED, "3.11", "PSF-2.0")
    assert page is not None
    assert (page.version, page.license, page.crawled) == ("3.11", "PSF-2.0", CRAWLED)


@pytest.mark.parametrize("media_type", ["text/html", "text/markdown"])
@pytest.mark.parametrize("part", ["word ", "<b>", "<p>word"])
def test_page_over_five_megabytes_is_skipped(part: str, media_type: str) -> None:
    body = f"<p>{part * (5_000_000 // len(part) + 1)}".encode()
    assert convert_page(FetchedPage(URL, media_type, body), CRAWLED) is None


@pytest.mark.parametrize("large", ["<script>{}</script>", '<img src="data:,{}">'])
def test_large_page_with_little_text_is_converted(large: str) -> None:
    page = convert_html("<p>before" + large.format("a" * 5_000_000) + "<p>after")
    assert "before" in page.text
    assert "after" in page.text


def test_text_between_many_removed_elements_is_kept() -> None:
    words = [f"word{number}" for number in range(3_000)]
    page = convert_html(f"<main>{'<nav>menu</nav> '.join(words)}</main>")
    assert page.text.endswith(" ".join(words) + "\n")
