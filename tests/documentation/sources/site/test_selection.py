"""Identical content is collected once, and placeholders for missing pages are skipped."""

from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.site.markup import Markup
from hookwright_documentation.sources.site.scope import Selection

SITE = "https://docs.example.org/"


def select(*pages: tuple[str, str], missing: str = "", canonical: str = "") -> list[str]:
    selection = Selection()
    if missing:
        selection.note_missing(FetchedPage(f"{SITE}no-such-page", "", missing.encode()))
    for path, body in pages:
        selection.add(SITE + path, body.encode(), Markup(canonical=canonical))
    return [url.removeprefix(SITE) for url in selection.list_urls()]


def test_mirror_is_collected_once() -> None:
    assert select(("mirror/a", "same"), ("a", "same"), ("b", "other")) == ["a", "b"]


def test_soft_404_is_skipped() -> None:
    selected = select(
        ("real", "text"), ("gone-page", "no gone-page here"), missing="no no-such-page here"
    )
    assert selected == ["real"]


def test_stubs_with_different_names_are_distinct() -> None:
    assert select(("Widget", "Class Widget"), ("Gadget", "Class Gadget")) == ["Gadget", "Widget"]


def test_markdown_replaces_its_html() -> None:
    assert select(("a.md", "# A"), ("a.html", "<h1>A"), ("b.html", "<h1>B")) == ["a.md", "b.html"]


def test_page_variant_with_a_query_is_skipped() -> None:
    assert select(("a", "1"), ("a?view=print", "2"), canonical=f"{SITE}a") == ["a"]
