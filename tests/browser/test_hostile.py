"""Hostile lessons are displayed harmlessly, and the page contacts no other host."""

from urllib.parse import urlsplit

import pytest

from hookwright_console.text import escape_hidden

from ..support.lesson_server_process import LessonServer
from .browser import Page
from .machine import MARKUP as MACHINE_MARKUP

VIEWS = (
    *(
        "lessons",
        "inbox",
        "review",
        "deleted",
        "prompt",
        "documentation",
        "activity",
        "hooks",
    ),
)
MARKUP = (
    "<script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">"
    "<svg onload=document.title='hacked'></svg><a href=javascript:document.title='hacked'>x</a>"
    "</textarea></template>{{ 7 * 7 }}<link rel=stylesheet href=http://127.0.0.2/x.css>"
)
# Returns the characters (by code) or strings that the page displays differently.
REVEALED = """
const [codes, done] = arguments;
const word = (code) =>
  Array.isArray(code) ? String.fromCodePoint(...code) : `a${String.fromCodePoint(code)}b`;
import("/page/elements.js").then(({ reveal }) =>
  done(codes.filter((code) => reveal(word(code)) !== word(code))));
"""
HOSTILE = [
    {"id": "<b>'\"&id", "text": MARKUP, "categories": ["devops/docker"]},
    {"id": "hidden", "text": "Seen\u200b\u202e\U000e0041 and hidden", "categories": ["devops"]},
    {"id": "long", "text": "x" * 10_000, "categories": ["devops/" + "y" * 80]},
    {"id": ".", "text": "A dot.", "categories": ["devops"]},
    {"id": "..", "text": "Two dots.", "categories": ["devops"]},
    {"id": "dot/../..//slash?#%", "text": "An odd id.", "categories": ["devops"]},
]


@pytest.fixture
def hostile(server: LessonServer) -> LessonServer:
    result = server.ask(
        "/api/ingest/bulk", {"lessons": [{**row, "restore": True} for row in HOSTILE]}
    )
    assert result["errors"] <= 1, result
    return server


@pytest.mark.usefixtures("hostile")
def test_hostile_lessons_are_harmless(page: Page, server: LessonServer) -> None:
    server.ask("/api/ingest", {"id": "gone", "text": MARKUP, "categories": ["devops"]})
    server.ask("/api/lessons/gone", method="DELETE")
    for view in VIEWS:
        page.resize(360)
        page.open(view)
        if view == "deleted":
            page.wait(lambda: MARKUP in page.read_all("#deletions p"))
        if view == "lessons":
            page.wait_for("#list", r"Seen\u{200b}\u{202e}\u{e0041} and hidden")
            page.wait(lambda: MARKUP in page.read_all("#list p"))
            page.write("[name=words]", "hacked script")
            page.wait_for("#found", "nearest")
        if view == "prompt":
            page.write("#prompt [name=prompt]", MARKUP)
            page.wait(lambda: page.read("#candidates") != "")
        if view == "documentation":
            page.write("#docs-search [name=query]", "markup script hacked")
            page.use("#docs-search button", "mouse")
            page.wait_for("#hits", "<script>")
            page.use("#hits button", "mouse")
            page.wait_for("#reader mark", "<script>")
        if view == "hooks":
            page.use("[aria-label='Show my-hooks']", "mouse")
            page.wait_for("#project-records", MACHINE_MARKUP)
            page.write("#trial [name=text]", "https://evil.example/--help")
            page.use("#trial button", "mouse")
            page.wait_for("#trial-hooks", MACHINE_MARKUP)
        assert page.driver.title.endswith(" · Hookwright")
        assert page.run("return document.scripts.length") == 1
        assert page.run("return document.querySelectorAll('img, main script').length") == 0
        for width in (360, 1000):
            page.resize(width)
            assert page.run("return document.documentElement.scrollWidth") <= width
        assert page.list_errors() == []


@pytest.mark.usefixtures("hostile")
def test_lesson_with_unusual_id_can_be_edited(page: Page, server: LessonServer) -> None:
    stored = {row["id"] for row in server.ask("/api/lessons")["records"]}
    for odd in stored & {row["id"] for row in HOSTILE}:
        page.open()
        page.wait_for("#list", odd)
        place = page.read_all("#list b").index(odd)
        page.find_all("#list button")[place].click()
        page.write("#editor [name=text]", f"Edited as {odd}")
        page.use("#editor [value=save]", "mouse")
        page.wait_for("#message", "saved")
        page.wait_for("#list", f"Edited as {odd}")


def test_hidden_characters_are_made_visible(page: Page) -> None:
    page.open()
    codes = [*range(0xA0, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000)]
    expected = [code for code in codes if contains_hidden(f"a{chr(code)}b")]
    assert page.driver.execute_async_script(REVEALED, codes) == expected
    for text in (
        "👨\u200d👩",
        "\u06cc\u200c\u062e",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "1\ufe0f",
        "a\u200d👩",
    ):
        codes = [ord(letter) for letter in text]
        assert bool(page.driver.execute_async_script(REVEALED, [codes])) is contains_hidden(text)


def contains_hidden(text: str) -> bool:
    return escape_hidden(text) != text


def test_page_requests_only_its_server(page: Page) -> None:
    page.list_requests()
    for view in VIEWS:
        page.open(view)
    hosts = {urlsplit(url).netloc for url in page.list_requests() if url.startswith("http")}
    assert hosts == {urlsplit(page.url).netloc}
