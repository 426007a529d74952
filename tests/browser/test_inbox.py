"""Lesson candidates are approved or rejected on the page, by mouse or keyboard."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from lesson_search.capture.inbox import open_inbox
from lesson_search.capture.rules import Candidate

from ..support.lesson_server_process import LessonServer
from .browser import Page

COUNT = "return document.querySelector(`${arguments[0]} [href='#/inbox'] .count`).textContent"
PLACES = ("#menu", "#attention")
TEXTS = ("Use pnpm, not npm, here.", "Deploy from main only.", "Never edit generated files.")


@pytest.fixture
def inbox(page: Page, server: LessonServer) -> Iterator[Page]:
    with open_inbox(server.folder) as waiting:
        waiting.items.clear()
        waiting.decided.clear()
        waiting.never.clear()
        for number, text in enumerate(reversed(TEXTS)):
            waiting.add([Candidate("said", text, "s1", "/work", f"10:0{number}", text)], 4e9)
    page.open("inbox")
    page.wait(lambda: page.read_all("#inbox-items li > p") == [*TEXTS])
    yield page
    with open_inbox(server.folder) as waiting:
        waiting.items.clear()


def list_lessons(server: LessonServer) -> list[str]:
    return [row["text"] for row in server.ask("/api/lessons")["records"]]


def test_pending_candidates_are_counted(inbox: Page) -> None:
    inbox.wait(lambda: [inbox.run(COUNT, place) for place in PLACES] == ["3", "3"])
    inbox.send("#main", "d")  # if no card is selected, a key selects the first
    inbox.wait(lambda: inbox.has_focus("#inbox-items li"))
    inbox.send("#inbox-items li", "d")
    inbox.wait(lambda: inbox.has_focus("#inbox-items li:first-child"))
    inbox.wait(lambda: inbox.run(COUNT, "#menu") == "2")


def test_candidates_are_decided_by_keys(inbox: Page, server: LessonServer) -> None:
    inbox.send("#inbox-items li", Keys.ARROW_DOWN, Keys.ARROW_UP, "a")
    inbox.wait(lambda: inbox.read_all("#inbox-items li > p") == [*TEXTS[1:]])
    assert TEXTS[0] in list_lessons(server)
    inbox.send("#inbox-items li", Keys.ARROW_DOWN)
    inbox.wait(lambda: inbox.has_focus("#inbox-items li:nth-child(2)"))
    inbox.send("#inbox-items li:nth-child(2)", "n")
    inbox.wait(lambda: inbox.read_all("#inbox-items li > p") == [TEXTS[1]])
    inbox.send("#inbox-items li", "d")
    inbox.wait_for("#inbox-status", "The inbox is empty")
    assert not {*TEXTS[1:]} & {*list_lessons(server)}


def test_decisions_can_be_undone(inbox: Page, server: LessonServer) -> None:
    before = list_lessons(server)
    for key in ("a", "d", "n"):
        inbox.send("#inbox-items li", key)
        inbox.wait(lambda: inbox.read_all("#inbox-items li > p") == [*TEXTS[1:]])
        inbox.settle()
        inbox.press("u")
        inbox.wait(lambda: inbox.read_all("#inbox-items li > p") == [*TEXTS])
        inbox.wait_for("#message", "The candidate is back")
    assert list_lessons(server) == before


def test_candidate_can_be_edited_before_approval(inbox: Page, server: LessonServer) -> None:
    inbox.use("#inbox-items li button:nth-of-type(2)", "mouse")
    inbox.write("#editor [name=text]", "Use pnpm.")
    inbox.use("#editor [value=save]", "mouse")
    inbox.wait(lambda: inbox.read_all("#inbox-items li > p") == [*TEXTS[1:]])
    assert "Use pnpm." in list_lessons(server)
