"""Documentation databases can be viewed, searched and refreshed."""

from collections.abc import Iterator

import pytest

from ..support.lesson_server_process import LessonServer
from .browser import Hand, Page
from .machine import Machine, write_documentation

HANDS = pytest.mark.parametrize("hand", ["mouse", "keyboard"])
ROW = "#databases li"
REFRESH = "[aria-label='Refresh acme']"
ANYWAY = "[aria-label='Refresh anyway: acme']"


@pytest.fixture
def _kept(machine: Machine) -> Iterator[None]:
    yield
    write_documentation(machine)


def test_databases_show_their_details(page: Page) -> None:
    page.open("documentation")
    page.wait_for(ROW, "acme")
    row = page.read(ROW)
    for fact in ("pages 5", "crawled today", "licence MIT", "engine builtin", "size "):
        assert fact in row


@HANDS
def test_search_shows_passages(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open("documentation")
    page.wait_for(ROW, "acme")
    page.choose("#docs-search [name=database]", "acme", hand)
    page.write("#docs-search [name=query]", "signed cookies")
    page.choose("#docs-search [name=top_k]", "3", hand)
    page.use("#docs-search button", hand)
    page.wait_for("#docs-context", "Sessions are kept in signed cookies")
    body = {"query": "signed cookies", "top_k": 3}
    hits = server.ask("/api/databases/acme/search", body)["hits"]
    assert len(page.find_all("#hits li")) == len(hits)
    assert "score" in page.read("#hits li")
    page.use("#hits button", hand)
    page.wait_for("#reader mark", "signed cookies")
    assert page.read("#reader-heading") == "How to session"
    assert page.run(
        "const mark = document.querySelector('#reader mark').getBoundingClientRect();"
        "const box = document.getElementById('reader-text').getBoundingClientRect();"
        "return mark.top >= box.top && mark.top < box.bottom"
    )
    page.use("#reader button", hand)
    page.wait(lambda: not page.find("#reader").is_displayed())


def test_late_page_is_ignored(page: Page) -> None:
    page.open("documentation")
    page.wait_for(ROW, "acme")
    page.write("#docs-search [name=query]", "cookies in production")
    page.use("#docs-search button", "mouse")
    page.wait(lambda: len(page.find_all("#hits li")) > 1)
    titles = page.read_all("#hits button")
    page.delay("/page?")
    page.run("for (const one of document.querySelectorAll('#hits button')) one.click()")
    page.wait(lambda: page.run("return window.late"))
    page.settle()
    assert titles[-1].startswith(page.read("#reader-heading"))
    assert not titles[0].startswith(page.read("#reader-heading"))


@HANDS
@pytest.mark.usefixtures("_kept")
def test_refresh_shows_progress(page: Page, machine: Machine, hand: Hand) -> None:
    """A refresh shows its progress; losing many pages requires confirmation."""
    page.open("documentation")
    page.wait_for(ROW, "acme")
    page.run(
        "window.seen = []; new MutationObserver(() => seen.push(document.querySelector("
        "'#databases p[role=status]')?.textContent)).observe(document.getElementById('databases'),"
        "{subtree: true, childList: true, characterData: true})"
    )
    page.use(REFRESH, hand)
    page.wait_for(ROW, "nothing changed: 5 pages")
    assert any(
        text and text.startswith(("Starting", "Crawling")) for text in page.run("return seen")
    )
    for name in ("install", "deploy"):
        (machine.site / f"{name}.html").unlink()
    page.use(REFRESH, hand)
    page.wait_for(ROW, "acme would have 3 of 5 pages: replace the old ones? Nothing has changed")
    assert "pages 5" in page.read(ROW)
    page.use(ANYWAY, hand)
    page.wait_for(ROW, "pages 3")
