"""Pages get distinctive titles, and redirect pages are left out."""

import re

import pytest

from hookwright_documentation.cutting import split
from hookwright_documentation.pages import FetchedPage, Page

from ...support.converted_pages import convert_pages
from . import CRAWLED, convert_html

SITE = "https://docs.example/"
TEXT = "<p>The words of the page {0}, which are its own."


def convert_site(pages: dict[str, str]) -> list[Page]:
    fetched = [FetchedPage(SITE + url, "text/html", html.encode()) for url, html in pages.items()]
    return convert_pages(fetched, CRAWLED)


@pytest.mark.parametrize(
    "html",
    [
        "<title>COPY</title><div><div>COPY</div><h1>1. Syntax</h1><p>a<h1>2. Use</h1><p>b</div>",
        "<title>Acme.Map</title><div><p>Acme.Map</p></div><h1>Documentation</h1><p>a",
        "<title>Map(T) - acme 1.2</title><div><h1>acme</h1>1.2</div><h1>Map(T)</h1><p>a",
        "<title>Install - Acme</title><p>Install</p><h1>Needs</h1><p>a",
    ],
)
def test_top_line_repeated_in_the_head_is_the_title(html: str) -> None:
    page = convert_html(html)
    assert page.title in html.partition("</title>")[0]
    assert page.text.count(page.title) == 1


@pytest.mark.parametrize(
    "html",
    [
        "<title>acme.Map</title><table><tr><th>a<td>b</table>acme.Map<h1>Documentation</h1>a",
        "<title>Acme: acme.Map</title><div>Acme</div><div>acme.Map</div><h2>Functions</h2>a",
        "<title>acme.Map: sizes: Acme Manual</title><h2>acme.Map: sizes</h2>a<h2>Functions</h2>",
        "<title>acme.Map: Acme Manual</title><h2 id=a>acme.Map</h2>a<h1>Functions</h1>",
    ],
)
def test_line_above_the_headings_may_be_the_title(html: str) -> None:
    assert convert_html(html).title == ("acme.Map: sizes" if "sizes" in html else "acme.Map")


@pytest.mark.parametrize(
    ("html", "titles"),
    [
        ("<title>{0} - Acme 1.2</title><h1>Documentation</h1>", "{0}"),
        ("<title>Acme: {0} - Manual</title><h1>Acme</h1>", "{0}"),
        ("<title>Acme</title><h1>Acme: {0}</h1>", "{0}"),
        ("<title>{0} (acme 1.2 API)</title><h2>Uses</h2>", "{0}"),
        ("<title>Acme</title><meta property=og:title content='{0}'><h1>Overview</h1>", "{0}"),
        ("<title>{0} in acme - Acme</title><h1>Struct {0}</h1>", "Struct {0}"),
    ],
)
def test_most_distinctive_text_is_the_title(html: str, titles: str) -> None:
    names = ["Map", "Set", "List", "Heap"]
    pages = convert_site({name: html.format(name) + TEXT.format(name) for name in names})
    assert [page.title for page in pages] == [titles.format(name) for name in names]
    assert all(f"# {page.title}\n" in page.text for page in pages)


def test_pages_sharing_a_title_get_another() -> None:
    html = "<title>{1} in {0} - Acme</title><h1>Struct {1}</h1><p>About {1} of {0}."
    names = [("map", "Iter"), ("set", "Iter"), *(("map", f"Key{number}") for number in range(98))]
    pages = convert_site({f"{first}/{two}": html.format(first, two) for first, two in names})
    titles = {page.title for page in pages}
    assert titles == {"Iter in map", "Iter in set", *(f"Struct {two}" for _, two in names[2:])}


@pytest.mark.parametrize(
    "head",
    [
        "<meta http-equiv=refresh content='0; url=new.html'>",
        '<META HTTP-EQUIV="Refresh" CONTENT="0;URL=new.html">',
        "<noscript><meta http-equiv=Refresh content='0;url=new.html'></noscript>",
        "<link rel=canonical href='https://docs.example/new.html'>",
    ],
)
def test_links_to_a_redirect_page_are_resolved(head: str) -> None:
    pages = convert_site(
        {
            "index.html": "<h1>Start</h1><p>See <a href='old.html#x'>the old page</a>.",
            "new.html": "<h1>New</h1><p>Its words.",
            "old.html": f"<head>{head}</head><p>This page is now <a href=new.html>there</a>.",
        }
    )
    assert [page.url for page in pages] == [f"{SITE}index.html", f"{SITE}new.html"]
    assert split(pages[0])[0].targets == ((f"{SITE}new.html", "the old page"),)


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("a%20b%2B.html", "a b+.html"),
        ("Map%24.html", "Map$.html"),
        ("c%2B%2B.html", "c%2b%2b.html"),
        ("caf%C3%A9.html", "caf\u00e9.html"),
        ("cafe%CC%81.html", "caf%C3%A9.html"),
        ("caf%C3%A9.html", "cafe\u0301.html"),
    ],
)
def test_differently_spelled_links_are_resolved(name: str, link: str) -> None:
    call = "<h1>{0}</h1><div id=run class=m><div>run()</div><p>What it does.</div>"
    start = f"<h1>Start</h1><p>See <a href='{link}#run'>how to run</a>."
    pages = convert_site({"index.html": start, name: call.format("Run"), "x.html": "<p>Words."})
    assert split(pages[0])[0].targets == ((f"{SITE}{name}#run", "how to run"),)
    assert [passage.anchor for passage in split(pages[1])] == ["run"]


def test_anchors_are_decoded_with_the_header_charset() -> None:
    html = "<h1>T</h1><p>See <a href='#{0}'>it</a>.<div id='{0}' class=m><div>{0}()</div><p>It."
    body = html.format("\u0436").encode("koi8-r")
    page = convert_pages([FetchedPage(SITE, "text/html; charset=koi8-r", body)], CRAWLED)[0]
    assert [passage.anchor for passage in split(page)] == ["", "%D0%B6"]


def test_page_with_a_refresh_that_no_browser_follows_is_kept() -> None:
    for html in [
        "<meta http-equiv=refresh content='300; url=https://docs.example/other'>",
        "<meta http-equiv=refresh content='0; url=https://docs.example/a.html'>",
        "<meta http-equiv=refresh content='0; url=#top'>",
        "<noscript><meta http-equiv=refresh content='0; url=b.html'></noscript>" + "<p>a" * 1_000,
        "<!-- <meta http-equiv=refresh content='0; url=b.html'> -->" + "<p>a" * 1_000,
    ]:
        assert len(convert_site({"a.html": f"{html}<p>Words.", "b.html": "<p>Others."})) == 2


CRUMBS = "<ul><li><a href=x>Acme 1.2</a><li><a href=y>Classes</a><li>{0}</ul>"


def test_text_repeated_around_the_content_is_removed() -> None:
    for html in [
        CRUMBS + "<h1>{0}</h1>" + TEXT,
        "<h1>{0} Class</h1>" + CRUMBS + TEXT + "<p>This page is of Acme, and free.",
        "<p>Beta documentation of acme.<h1>{0}</h1>"
        + TEXT
        + "<p><a href=z>Tell us what is wrong</a>",
        "<div><a href=x>acme</a>::<a href=y>{0}s</a></div><h1>{0}</h1>" + TEXT,
        # A sidebar with the site's name and the page's contents, as in the Crystal docs.
        "<title>{0} - Acme</title><div><h1>Acme</h1><ul><li><a href=a>A</a><li><a href=b>B</a>"
        "<li><a href={0}>{0}</a><ul><li><a href={0}/x>{0}x</a></ul></ul></div>"
        "<div><h1>class {0}</h1>" + TEXT + "</div>",
        # Links around a text, with fewer links on the first and last page, as in Boost and
        # VitePress.
        "<table><tr><td><a href=x>Home</a><td><a href=y>Libraries</a></table><div><a href=p><img "
        "alt=Prev></a><a href=u><img alt=Up></a></div><h1>{0}</h1>" + TEXT + "<p>Revised by Acme"
        "<div><a href=e{0}>Change {0} on Acmehub</a></div><a href=q><b>Previous page</b> {0}y</a>",
        # A line that summarises the page's sections, some of them unlinked, as in Groovydoc.
        "<ul><li>Summary: <li>Nested <li><a href=#f>Field</a></ul><h2>Class {0}</h2>" + TEXT,
        "<h1>{0}</h1>" + TEXT + "<div><a href=#a>Top</a> Part</div><p>Part Top",
        # A feedback row, as on php.net.
        "<h1>{0}</h1>" + TEXT + "<h3>Rate this</h3><p><a href=/v?{0}>Good</a> <a href=/w>Bad</a>",
    ]:
        names = ["Map", "Set", "List", "Heap", "Tree", "Queue"]
        pages = convert_site({name: html.format(name) for name in names})
        texts = (re.sub(r"^#.*\n\n", "", page.text, flags=re.MULTILINE) for page in pages)
        assert list(texts) == [
            f"The words of the page {name}, which are its own.\n" for name in names
        ]


def test_code_before_removed_text_is_kept() -> None:
    code = "<pre>#define {0}\n\n#endif</pre>"
    html = "<h1>{0}</h1>" + TEXT + code + "<p>This page is of Acme."
    pages = convert_site({name: html.format(name) for name in "abcdef"})
    assert all(page.text.endswith("\n\n#endif\n```\n") for page in pages)


def test_text_repeated_under_a_heading_is_kept() -> None:
    html = "<h1>{0}</h1>" + TEXT + "<h2 id=o>Options</h2><p>There are no options."
    pages = convert_site({name: html.format(name) for name in "abcdef"})
    assert all(page.text.endswith("## Options {#o}\n\nThere are no options.\n") for page in pages)


def test_link_blocks_repeated_on_most_pages_are_removed() -> None:
    controls = "<p><a href=s/{0}>Code</a> | <a href=e/{0}>Fix</a>"
    html = "<h1>T</h1><h2 id=f>f</h2><p>What f of {0} does." + controls
    pages = convert_site({name: html.format(name) for name in "abcdef"})
    assert all(page.text.endswith(f"What f of {page.url[-1]} does.\n") for page in pages)


def test_address_distinguishes_pages_sharing_a_title() -> None:
    names = ("map/iter.html", "s%0At%E2%80%8B/iter.html", "heap/index.html")
    titles = ["Use: map/iter", "Use: s t/iter", "Use: heap"]
    pages = convert_site({name: f"<title>Use</title><p>Words of {name}." for name in names[:3]})
    assert [page.title for page in pages] == titles
    others = {name: f"<title>{name}</title><p>Words of {name}." for name in "abcd"}
    shared = {name: f"<title>Use</title><p>Words of {name}." for name in names[:2]}
    assert [page.title for page in convert_site(shared | others)][:2] == ["Use: map", "Use: s t"]
