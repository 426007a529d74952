"""Installed hooks are listed and can be tried, and the page counts their activity."""

import pytest

from ..support.project import URL
from .browser import Hand, Page

HANDS = pytest.mark.parametrize("hand", ["mouse", "keyboard"])
CALLS = [
    ("A search or URL", "gitlab runner tags", "WebSearch is denied.", "mcp__leann__search"),
    ("A search or URL", URL, "WebFetch is denied.", "gh pr view"),
    ("A search or URL", "--help", "WebSearch is let through.", "docsearch: let through"),
    ("A command", "ls", "Bash is let through", ""),
]

CHOOSE_DAYS = """
const days = document.getElementById("activity-days");
days.value = arguments[0];
days.dispatchEvent(new Event("change"));
"""


@HANDS
def test_call_can_be_tried(page: Page, hand: Hand) -> None:
    page.open("hooks")
    page.wait_for("#projects", "my-hooks")
    page.use("[aria-label='Show my-hooks']", hand)
    page.wait_for("#project-records", "gitlab")
    assert "github-pr" in page.read("#project-records")
    for kind, text, verdict, words in CALLS:
        page.choose("#trial [name=kind]", kind, hand)
        page.write("#trial [name=text]", text)
        page.use("#trial button", hand)
        page.wait_for("#verdict", verdict)
        page.wait_for("#trial-hooks", words)


@HANDS
def test_activity_is_charted(page: Page, hand: Hand) -> None:
    page.open("activity")
    page.wait(lambda: len(page.find_all("#activity-charts .bars")) >= 2)
    titles = page.run("return [...document.querySelectorAll('.bars span')].map((bar) => bar.title)")
    assert sum(title.endswith(": 3") for title in titles) == 1
    place = "#activity-charts > div:nth-child(2) li:nth-child(2) button"
    assert page.read(place) == "github-pr"
    page.use(place, hand)
    page.wait(lambda: page.find(place).get_attribute("aria-pressed") == "true")
    label = "#activity-charts > div:nth-child(2) .bars"
    page.wait(lambda: "github-pr" in str(page.find(label).get_attribute("aria-label")))
    first = page.run("return document.querySelector('.bars span').title")
    page.choose("#activity-days", "90", hand)
    page.wait(lambda: page.run("return document.querySelector('.bars span').title") != first)


def test_latest_trial_wins(page: Page) -> None:
    page.open("hooks")
    page.use("[aria-label='Show my-hooks']", "mouse")
    page.wait_for("#project-records", "gitlab")
    page.delay("/try", 2000)
    for kind, text, _, _ in (CALLS[0], CALLS[3]):
        page.choose("#trial [name=kind]", kind, "keyboard")
        page.write("#trial [name=text]", text)
        page.find("#trial button").click()
    page.wait(lambda: page.run("return window.late"))
    page.wait_for("#verdict", "Bash is let through")
    page.settle()
    assert "Bash is let through" in page.read("#verdict")


def test_latest_date_range_wins(page: Page) -> None:
    page.open("activity")
    page.wait(lambda: len(page.find_all("#activity-charts .bars")) >= 2)
    page.delay("days=90")
    for days in ("90", "7"):
        page.run(CHOOSE_DAYS, days)
    page.wait(lambda: page.run("return window.late"))
    page.settle()
    bars = "return document.querySelector('.bars').querySelectorAll('span')"
    assert 7 <= len(page.run(bars)) < 20
