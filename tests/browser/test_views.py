"""Views can be navigated by mouse or keyboard."""

import pytest
from selenium.webdriver.common.keys import Keys

from .browser import Hand, Page
from .test_hostile import VIEWS


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_views_can_be_navigated(page: Page, hand: Hand) -> None:
    """A link shows and highlights only its view; the back button returns to the previous view."""
    page.open()
    for view in (*VIEWS[1:], VIEWS[0]):
        link = f"header nav a[href='#/{view}']"
        page.use(link, hand)
        page.wait(page.find(f"#{view}").is_displayed)
        shown = [section.get_attribute("id") for section in page.find_all("main > section")]
        shown = [name for name in shown if page.find(f"#{name}").is_displayed()]
        assert shown == [view]
        assert page.find(link).get_attribute("aria-current") == "page"
        assert len(page.find_all("[aria-current]")) == 1
        assert page.driver.title == f"{page.read(link).splitlines()[0]} · Hookwright"
        page.wait(lambda: page.has_focus("main"))
    page.driver.back()
    page.wait(lambda: page.find(f"#{VIEWS[-1]}").is_displayed())


def test_skip_link_moves_focus(page: Page) -> None:
    page.open("activity")
    page.press(Keys.TAB)
    assert page.has_focus(".skip")
    page.press(Keys.ENTER)
    page.wait(lambda: page.has_focus("main"))
    assert page.find("#activity").is_displayed()
