"""Lessons can be found, changed and deleted on the page, by mouse or keyboard."""

import pytest
from selenium.webdriver.common.keys import Keys

from ..support.lesson_server_process import LessonServer
from .browser import Hand, Page
from .conftest import LESSONS

by_hand = pytest.mark.parametrize("hand", ["mouse", "keyboard"])
IDS = "#list b"
# The layout shift in pixels.
MOVED = """
const done = arguments[0];
new PerformanceObserver((list) => {
  const sources = list.getEntries().flatMap((shift) => shift.sources);
  done(Math.max(0, ...sources.map((one) => Math.abs(one.currentRect.top - one.previousRect.top))));
}).observe({ type: "layout-shift", buffered: true });
setTimeout(() => done(0), 500);
"""


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("width", [360, 1000])
def test_layout_does_not_shift_while_loading(page: Page, width: int) -> None:
    page.resize(width)
    page.open()
    page.settle()
    assert page.driver.execute_async_script(MOVED) < 20


@by_hand
def test_lessons_are_listed(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open()
    page.wait(lambda: page.read_all(IDS) == ["cache", "cache-too", "deadlock", "flaky", "heap"])
    page.choose("[name=collection]", "Skills", hand)
    page.wait(lambda: page.read_all(IDS) == ["review"])
    page.use("#add", hand)
    page.write("#editor [name=text]", "Cut a release from the changelog.")
    page.write("#editor [name=trigger]", "/release")
    page.use("#editor [value=save]", hand)
    page.wait_for("#message", "The skill is added")
    rows = server.ask("/api/skills")["records"]
    assert sorted(row["trigger"] for row in rows) == ["/release", "/review"]


@by_hand
def test_long_list_is_shown_in_parts(page: Page, server: LessonServer, hand: Hand) -> None:
    """A long list is shown in parts; showing more moves the focus to the first new lesson."""
    rows = [{"id": f"n{n:03}", "text": f"Note {n}.", "categories": ["notes"]} for n in range(60)]
    server.ask("/api/ingest/bulk", {"lessons": [{**row, "restore": True} for row in rows]})
    page.open("lessons?category=notes")
    page.wait(lambda: len(page.read_all(IDS)) == 50)
    page.use("#more", hand)
    page.wait(lambda: len(page.read_all(IDS)) == 60)
    page.wait(lambda: page.has_focus("[aria-label='Select n050']"))
    assert not page.find("#more").is_displayed()


def test_late_list_part_is_ignored(page: Page, server: LessonServer) -> None:
    rows = [{"id": f"n{n:03}", "text": f"Note {n}.", "categories": ["notes"]} for n in range(60)]
    server.ask("/api/ingest/bulk", {"lessons": [{**row, "restore": True} for row in rows]})
    page.open("lessons?category=notes")
    page.wait(lambda: len(page.read_all(IDS)) == 50)
    page.delay("after=")
    page.run("for (const _ of [1, 2]) document.getElementById('more').click()")
    page.wait(lambda: page.run("return window.late"))
    page.settle()
    assert len(page.read_all(IDS)) == 60
    page.open("lessons?category=notes")
    page.wait(lambda: len(page.read_all(IDS)) == 50)
    page.delay("after=")
    page.find("#more").click()
    page.run("location.hash = '#/lessons?category=development/testing'")
    page.wait(lambda: page.run("return window.late"))
    page.settle()
    assert page.read_all(IDS) == ["flaky"]


def test_late_map_is_ignored(page: Page) -> None:
    page.open()
    page.settle()
    page.delay("below=development%2Ftesting")
    for category in ("development/testing", ""):
        page.run(f"location.hash = '#/lessons?category={category}'")
    page.wait(lambda: page.run("return window.late"))
    page.settle()
    assert len(page.find_all("#map a")) > 1


@by_hand
def test_category_filters_lessons(page: Page, hand: Hand) -> None:
    page.open()
    page.use("#map a[aria-label='devops, 2 lessons']", hand)
    page.wait(lambda: page.read_all(IDS) == ["cache", "cache-too"])
    page.wait(lambda: page.read("#path") == "All / devops")
    page.use("#path a", hand)
    page.wait(lambda: len(page.read_all(IDS)) == 5)


def test_search_finds_lessons(page: Page) -> None:
    page.open()
    page.write("[name=words]", "two workers deadlock in UPDATE")
    page.wait(lambda: page.read_all(IDS)[:1] == ["deadlock"])
    for part in ("meaning", "words", "ahead of the next by"):
        assert part in page.read("#list .evidence")
    assert page.read("#list .head").count(" %") == 1
    assert page.find("#list meter").is_displayed()


@by_hand
def test_lesson_can_be_edited(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open()
    page.use("[aria-label='Edit heap']", hand)
    page.write("#editor [name=text]", "Raise the heap of Node.")
    page.use("#editor [value=save]", hand)
    page.wait_for("#message", "The change is saved")
    page.wait(lambda: any("Raise the heap of Node." in text for text in page.read_all("#list p")))
    lesson = server.ask("/api/lessons/heap")
    assert lesson["text"] == "Raise the heap of Node."
    assert lesson["categories"] == ["development/frontend"]
    assert lesson["source_file"] == "notes/ci.md"


@by_hand
def test_lesson_can_be_added(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open("lessons?category=devops/docker")
    page.use("#add", hand)
    page.write("#editor [name=text]", "Pin the digest of a base image.")
    page.use("#editor [value=save]", hand)
    page.wait_for("#message", "is added")
    page.wait(lambda: len(page.read_all(IDS)) == 3)
    rows = server.ask("/api/lessons?category=devops/docker")["records"]
    assert "Pin the digest of a base image." in [row["text"] for row in rows]


@by_hand
def test_deletion_can_be_undone(page: Page, server: LessonServer, hand: Hand) -> None:
    before = server.ask("/api/lessons/heap")
    page.open()
    page.use("[aria-label='Edit heap']", hand)
    page.use("#editor [value=delete]", hand)
    page.wait(lambda: "heap" not in page.read_all(IDS))
    assert server.ask("/api/lessons/heap")["status"] == 404
    page.use("#message button", hand)
    page.wait(lambda: "heap" in page.read_all(IDS))
    assert server.ask("/api/lessons/heap") == before


@by_hand
def test_lesson_can_be_moved(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open()
    page.use("[aria-label='Select cache']", hand)
    page.use("[aria-label='Select flaky']", hand)
    assert page.read("#selected") == "2 selected"
    page.write("#move [name=category]", "workflow/builds")
    page.use("#move button", hand)
    page.wait_for("#message", "2 moved to workflow/builds")
    rows = server.ask("/api/lessons?category=workflow")["records"]
    assert [row["id"] for row in rows] == ["cache", "flaky"]
    page.use("#message button", hand)
    page.wait_for("#message", "2 moved back")
    assert server.ask("/api/lessons/cache")["categories"] == ["devops/docker"]


def test_focus_stays_after_a_change(page: Page) -> None:
    """The focus stays on a changed lesson; after a deletion, it moves to the undo button."""
    page.open()
    page.use("[aria-label='Edit heap']", "keyboard")
    page.write("#editor [name=text]", "Raise the heap.")
    page.use("#editor [value=save]", "keyboard")
    page.settle()
    page.wait(lambda: page.has_focus("[aria-label='Edit heap']"))
    page.use("[aria-label='Edit heap']", "keyboard")
    page.use("#editor [value=delete]", "keyboard")
    page.settle()
    page.wait(lambda: page.has_focus("#message button"))


def test_undo_does_not_overwrite_newer_changes(page: Page, server: LessonServer) -> None:
    page.open()
    page.use("[aria-label='Edit heap']", "mouse")
    page.use("#editor [value=delete]", "mouse")
    page.wait(lambda: "heap" not in page.read_all(IDS))
    server.ask("/api/ingest", {"id": "heap", "text": "Theirs.", "restore": True})
    page.use("#message button", "mouse")
    page.wait_for("#message", "someone else has added a record with this id")
    assert server.ask("/api/lessons/heap")["text"] == "Theirs."


def test_concurrently_deleted_lesson_is_reported(page: Page, server: LessonServer) -> None:
    page.open()
    page.use("[aria-label='Edit heap']", "mouse")
    page.wait_for("#origin", "heap, since")
    server.ask("/api/lessons/heap", method="DELETE")
    page.write("#editor [name=text]", "Raise the heap.")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "Someone else has deleted it")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#message", "is added")


@by_hand
def test_two_tabs_do_not_overwrite_each_other(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open()
    page.use("[aria-label='Edit flaky']", hand)
    page.wait_for("#origin", "flaky, since")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    other = Page(page.driver, page.url)
    other.open()
    other.use("[aria-label='Edit flaky']", hand)
    other.write("#editor [name=text]", "Theirs.")
    other.use("#editor [value=save]", hand)
    other.wait_for("#message", "saved")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.write("#editor [name=text]", "Mine.")
    page.use("#editor [value=save]", hand)
    page.wait_for("#editor .notice", "Someone else has changed it. It now says: “Theirs.”")
    assert server.ask("/api/lessons/flaky")["text"] == "Theirs."
    page.use("#editor [value=save]", hand)
    page.wait_for("#message", "saved")
    assert server.ask("/api/lessons/flaky")["text"] == "Mine."


@by_hand
def test_secret_needs_confirmation(page: Page, server: LessonServer, hand: Hand) -> None:
    page.open()
    page.use("#add", hand)
    text = "Use ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    page.write("#editor [name=text]", text)
    page.use("#editor [value=save]", hand)
    page.wait_for("#editor .notice", "looks like it holds")
    assert len(server.ask("/api/lessons")["records"]) == 5
    page.use("#editor [name=force]", hand)
    page.use("#editor [value=save]", hand)
    page.wait_for("#message", "is added")


@by_hand
def test_similar_lessons_can_be_reviewed(page: Page, server: LessonServer, hand: Hand) -> None:
    """Two similar lessons are shown side by side; one is deleted, then restored."""
    page.open("review")
    page.wait(lambda: page.read_all("#findings b") == ["cache", "cache-too"])
    page.use("#findings [aria-keyshortcuts=e]", hand)
    page.wait(
        lambda: "COPY comes first" in str(page.find("#editor [name=text]").get_property("value"))
    )
    page.use("#editor [value=cancel]", hand)
    page.use("#findings [aria-keyshortcuts=d]", hand)
    page.wait_for("#no-findings", "Nothing needs a decision")
    page.use("#message button", hand)
    page.wait(lambda: page.read_all("#findings b") == ["cache", "cache-too"])
    assert len(server.ask("/api/lessons")["records"]) == 5
    page.send("#findings li", "m")
    page.wait(lambda: page.find("#editor").is_displayed())
    page.wait_for("#editor .notice", "Saving this also deletes cache-too")
    page.use("#editor [value=save]", hand)
    page.wait_for("#no-findings", "Nothing needs a decision")
    page.wait_for("#message", "Merged into cache; cache-too is deleted.")
    merged = f"{LESSONS[0]['text']}\n\n{LESSONS[1]['text']}"
    assert server.ask("/api/lessons/cache")["text"] == merged


def test_lesson_changed_after_it_was_shown_is_not_lost(page: Page, server: LessonServer) -> None:
    page.open("review")
    page.wait(lambda: page.read_all("#findings b") == ["cache", "cache-too"])
    for name, key in (("cache-too", "d"), ("cache", "m")):
        page.settle()
        server.ask(f"/api/lessons/{name}", {"categories": ["devops"]}, "PUT")
        page.send("#findings li", key)
    page.wait_for("#message", "cache-too changed meanwhile")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "Someone else has changed it")
    assert len(server.ask("/api/lessons")["records"]) == 5


def test_kept_finding_does_not_return(page: Page, server: LessonServer) -> None:
    text = "The docker build cache is lost if COPY comes first."
    server.ask("/api/lessons/cache", {"text": text}, "PUT")
    page.open("review")
    page.wait(lambda: page.read_all("#findings b") == ["cache", "cache-too"])
    page.send("#findings li", "k")
    page.wait_for("#no-findings", "Nothing needs a decision")
    assert server.ask("/api/review")["findings"] == []


def test_map_counts_each_lesson_once(page: Page, server: LessonServer) -> None:
    """A lesson with several categories appears in each of them."""
    several = {"categories": ["devops/docker", "development/testing"]}
    server.ask("/api/lessons/cache", several, "PUT")
    page.open()
    page.wait(lambda: page.find_all("#map .tile"))
    assert sum(map(int, page.read_all("#map .count"))) == int(page.read("#total")) == 5
    page.open("lessons?category=devops")
    page.wait(lambda: page.read_all(IDS) == ["cache", "cache-too"])
    page.wait(lambda: not page.find("#map").is_displayed())


def test_project_lesson_names_its_project(page: Page) -> None:
    page.open()
    page.use("[aria-label='Edit flaky']", "mouse")
    page.write("#editor [name=project]", "git@h.example:a/b.git")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("[data-id=flaky]", "h.example/a/b")
    page.open("prompt")
    page.write("#prompt [name=prompt]", "how to freeze the clock in tests that compare dates")
    page.wait_for("#context", "Nothing")
    page.choose("#prompt [name=project]", "h.example/a/b", "mouse")
    page.wait_for("#context", "Freeze the clock")


@by_hand
def test_deleted_lessons_are_listed(page: Page, server: LessonServer, hand: Hand) -> None:
    before = server.ask("/api/lessons/heap")
    server.ask("/api/lessons/heap", method="DELETE")
    page.open("deleted")
    page.wait(lambda: page.read("#deletions b") == "heap")
    page.use("[aria-label='Bring back heap']", hand)
    page.wait_for("#message", "is back")
    page.wait(lambda: "heap" not in page.read_all("#deletions b"))
    assert server.ask("/api/lessons/heap") == before


@by_hand
def test_all_categories_are_shown(page: Page, hand: Hand) -> None:
    page.open()
    page.use("#tree summary", hand)
    page.wait_for("#all-categories", "docker 2")
    page.use("#all-categories a[href$='development%2Ftesting']", hand)
    page.wait(lambda: page.read_all(IDS) == ["flaky"])


@by_hand
def test_unused_lessons_are_listed(page: Page, server: LessonServer, hand: Hand) -> None:
    """Lessons that agents never received are listed, and each can be opened."""
    prompt = "why is the docker build cache lost"
    server.ask("/hooks/user-prompt-submit", {"prompt": prompt, "session_id": "one"})
    page.open("activity")
    page.wait(lambda: "flaky" in page.read_all("#unused b"))
    assert "cache" not in page.read_all("#unused b")
    page.use("#unused [aria-label='Show flaky']", hand)
    page.wait_for("#origin", "flaky, since")


def test_late_lesson_is_ignored(page: Page) -> None:
    page.open()
    page.delay("/heap")
    page.use("[aria-label='Edit heap']", "mouse")
    page.use("[aria-label='Edit flaky']", "mouse")
    page.wait_for("#origin", "flaky, since")
    page.wait(lambda: page.run("return window.late"))
    assert page.read("#origin").startswith("flaky, since")


@by_hand
def test_edit_can_be_cancelled(page: Page, server: LessonServer, hand: Hand) -> None:
    before = server.ask("/api/lessons/heap")
    page.open()
    page.use("[aria-label='Edit heap']", hand)
    page.write("#editor [name=text]", "Never mind.")
    if hand == "mouse":
        page.use("#editor [value=cancel]", hand)
    else:
        page.press(Keys.ESCAPE)
    page.wait(lambda: not page.find("#editor").is_displayed())
    assert server.ask("/api/lessons/heap") == before
    page.use("[aria-label='Edit heap']", hand)
    page.wait(lambda: page.find("#editor").is_displayed())
    assert page.find("#editor [name=text]").get_property("value") == before["text"]
    page.use("#editor [value=delete]", hand)
    page.wait_for("#message", "is deleted")
    page.use("#message [aria-label=Close]", hand)
    page.wait(lambda: not page.find("#message").is_displayed())
    assert server.ask("/api/lessons/heap")["status"] == 404
