"""Drive a real Chromium: what a person sees of the page, and does with mouse or keyboard."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

Hand = Literal["mouse", "keyboard"]
PATIENCE = 40  # seconds
MOST_TABS = 400  # presses of the Tab key until an element has to have the focus
# Without these, Chromium asks hosts of its maker for updates.
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-default-apps", "--no-default-browser-check", "--no-proxy-server"),
)


class Page:
    """The page in one tab of a browser.

    Args:
        driver: The browser.
        url: The server's address.

    """

    def __init__(self, driver: Chrome, url: str) -> None:
        """Show the page of a server."""
        self.driver = driver
        self.url = url
        self.resize(1000)

    def open(self, view: str = "lessons") -> None:
        """Load the page anew, and show a view."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}/#/{view}")
        name = view.partition("?")[0]
        self.wait(lambda: self.find(f"#{name}").is_displayed())

    def resize(self, width: int, height: int = 900) -> None:
        """Give the page a width and a height, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def choose_scheme(self, scheme: str) -> None:
        """Prefer dark or light colours."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def find(self, selector: str) -> WebElement:
        """Return the first element."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str) -> list[WebElement]:
        """Return all elements."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def read(self, selector: str) -> str:
        """Return the text of the first element."""
        return self.find(selector).text

    def read_all(self, selector: str) -> list[str]:
        """Return the texts of all elements, once they stay what they are."""
        while True:
            with suppress(StaleElementReferenceException):
                return [element.text for element in self.find_all(selector)]

    def wait(self, condition: Callable[[], object]) -> None:
        """Return once a condition holds; fail where it does not in time."""
        ignored = (StaleElementReferenceException, WebDriverException)
        WebDriverWait(self.driver, PATIENCE, 0.02, ignored).until(lambda _: condition())

    def wait_for(self, selector: str, text: str) -> None:
        """Return once an element has a text."""
        self.wait(lambda: text in self.read(selector))

    def use(self, selector: str, hand: Hand) -> None:
        """Click an element, or reach it by the Tab key and press Enter."""
        self.wait(lambda: self.find(selector).is_displayed())
        if hand == "mouse":
            self.find(selector).click()
            return
        for _ in range(MOST_TABS):
            if self.has_focus(selector):
                break
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        assert self.has_focus(selector), f"{selector} cannot be reached by keyboard"
        key = Keys.SPACE if self.find(selector).get_attribute("type") == "checkbox" else Keys.ENTER
        ActionChains(self.driver).send_keys(key).perform()

    def has_focus(self, selector: str) -> bool:
        """Tell whether the first element has the focus."""
        script = "return document.activeElement === document.querySelector(arguments[0])"
        return bool(self.driver.execute_script(script, selector))

    def write(self, selector: str, text: str) -> None:
        """Replace the text of a field, key by key."""
        self.wait(lambda: self.find(selector).is_displayed())
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text)

    def run(self, script: str, *values: object) -> Any:
        """Return what a script returns in the page."""
        return self.driver.execute_script(script, *values)

    def list_requests(self) -> list[str]:
        """Return the addresses that were asked for since this was last called."""
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    def list_errors(self) -> list[str]:
        """Return what the browser complained of since this was last called."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


@contextmanager
def run_browser(chromium: str, chromedriver: str) -> Iterator[Chrome]:
    """Yield a browser without a window, with a profile of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = chromium
        for argument in (*QUIET, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = Chrome(options=options, service=Service(chromedriver))
        try:
            yield driver
        finally:
            driver.quit()
