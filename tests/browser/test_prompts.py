"""A prompt can be tried on the page."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from ..support.lesson_server_process import LessonServer
from .browser import Hand, Page

PROMPT = "why is the docker build cache lost"


def test_context_of_a_prompt_is_shown(page: Page, server: LessonServer) -> None:
    event = {"prompt": PROMPT, "session_id": "of no page"}
    answer = server.ask("/hooks/user-prompt-submit", event)
    expected = answer["hookSpecificOutput"]["additionalContext"]
    page.open("prompt")
    page.write("#prompt [name=prompt]", PROMPT)
    page.wait_for("#context", "Relevant Lessons")
    assert page.find("#context").get_attribute("textContent") == expected
    assert "below the lowest score" in page.read("#candidates .below")


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_minimum_score_can_be_changed(page: Page, hand: Hand) -> None:
    page.open("prompt")
    page.write("#prompt [name=prompt]", PROMPT)
    page.wait_for("#context", "Relevant Lessons")
    page.wait_for("#outcome", "At this score")
    before = page.read("#outcome")
    slider = page.find("#prompt [name=least]")
    if hand == "mouse":
        right = slider.size["width"] // 2 - 1
        ActionChains(page.driver).move_to_element_with_offset(slider, right, 0).click().perform()
    else:
        page.reach("#prompt [name=least]")
        page.press(Keys.END)
    page.wait_for("#context", "Nothing: no lesson scores high enough.")
    page.wait(lambda: page.read("#outcome") != before)
    assert page.read("#least-shown") == "100 %"


def test_obstacle_is_explained(page: Page) -> None:
    page.open("prompt")
    page.write("#prompt [name=prompt]", "yes")
    page.wait_for("#context", "no search is made for such a prompt (short)")
