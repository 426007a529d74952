"""Drive a real Chromium: read the page as displayed and use it by mouse or keyboard."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Thread
from typing import Any, Literal

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait
from websocket import WebSocket, create_connection  # also used by selenium

Hand = Literal["mouse", "keyboard"]
PATIENCE = 40  # seconds
LATENCY = 100  # milliseconds added to each request, so that tests that do not wait fail reliably
MAX_TABS = 400  # the Tab key must move the focus to an element within this many presses
# Without these options, Chromium requests updates from Google's servers.
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-default-apps", "--no-default-browser-check", "--no-proxy-server"),
)
# Counts pending requests; a tab may run this script several times.
COUNT_AWAITED = """
if (window.awaited === undefined) {
  const real = window.fetch;
  window.awaited = 0;
  window.fetch = (...words) => {
    window.awaited += 1;
    return real(...words).finally(() => { window.awaited -= 1; });
  };
}
"""
# Reports whether no request is pending; it checks twice, because a response often triggers another
# request.
IS_SETTLED = """
const done = arguments[0];
const before = window.awaited;
setTimeout(() => requestAnimationFrame(() => done(!before && !window.awaited)), 30);
"""
# Delays the first response for an address until later ones have arrived.
DELAY = """
const [part, milliseconds] = arguments, real = window.fetch;
let first = true;
window.fetch = async (url, options) => {
  const late = first && String(url).includes(part);
  if (!late) return real(url, options);
  first = false;
  setTimeout(() => { window.late = true; }, milliseconds + 100);
  const later = new Promise((resolve) => setTimeout(resolve, milliseconds));
  const [answer] = await Promise.all([real(url, options), later]);
  return answer;
};
"""
VISITS = count()
CANCELLED: dict[str, object] = {"authChallengeResponse": {"response": "CancelAuth"}}
EVERY_REQUEST = {"handleAuthRequests": True, "patterns": [{"urlPattern": "*"}]}


class Page:
    """A page in a browser tab.

    Args:
        driver: The browser driver.
        url: The server's address.
        latency: Milliseconds of delay added to each request.

    """

    def __init__(self, driver: Chrome, url: str, latency: int = LATENCY) -> None:
        self.driver = driver
        self.url = url
        self.resize(1000)
        network = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_AWAITED})
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "latency": latency})

    def open(self, view: str = "lessons") -> None:
        # A new query makes the browser load the page instead of changing only the fragment.
        self.driver.get(f"{self.url}/?{next(VISITS)}#/{view}")
        name = view.partition("?")[0]
        self.wait(lambda: self.find(f"#{name}").is_displayed())

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def choose_scheme(self, scheme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def delay(self, part: str, milliseconds: int = 500) -> None:
        """Delay the next response for a matching address; `window.late` is set when it arrives."""
        self.run(DELAY, part, milliseconds)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def read(self, selector: str) -> str:
        while True:
            with suppress(StaleElementReferenceException):
                return self.find(selector).text

    def read_all(self, selector: str) -> list[str]:
        while True:
            with suppress(StaleElementReferenceException):
                return [element.text for element in self.find_all(selector)]

    def wait(self, condition: Callable[[], object]) -> None:
        """Return once `condition` holds; fail on timeout."""
        ignored = (StaleElementReferenceException, WebDriverException)
        WebDriverWait(self.driver, PATIENCE, 0.02, ignored).until(lambda _: condition())

    def wait_for(self, selector: str, text: str) -> None:
        self.wait(lambda: text in self.read(selector))

    def use(self, selector: str, hand: Hand) -> None:
        self.wait(lambda: self.find(selector).is_displayed())
        self.settle()
        if hand == "mouse":
            self.find(selector).click()
            return
        self.reach(selector)
        kind = self.run("return document.activeElement.type")
        self.press(Keys.SPACE if kind == "checkbox" else Keys.ENTER)

    def settle(self) -> None:
        self.wait(lambda: self.driver.execute_async_script(IS_SETTLED))

    def choose(self, selector: str, option: str, hand: Hand) -> None:
        self.wait(lambda: self.find(selector).is_displayed())
        if hand == "mouse":
            Select(self.find(selector)).select_by_visible_text(option)
            return
        self.reach(selector)
        self.press(option)

    def reach(self, selector: str) -> None:
        for _ in range(MAX_TABS):
            if self.has_focus(selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} cannot be reached by keyboard")

    def send(self, selector: str, *keys: str) -> None:
        self.settle()
        self.find(selector).send_keys(*keys)

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def has_focus(self, selector: str) -> bool:
        script = "return document.activeElement === document.querySelector(arguments[0])"
        return bool(self.driver.execute_script(script, selector))

    def write(self, selector: str, text: str) -> None:
        self.wait(lambda: self.find(selector).is_displayed())
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text)

    def run(self, script: str, *values: object) -> Any:
        return self.driver.execute_script(script, *values)

    def list_requests(self) -> list[str]:
        """Return the addresses requested since the last call."""
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    def list_errors(self) -> list[str]:
        """Return the browser errors logged since the last call."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


@contextmanager
def run_browser(chromium: str, chromedriver: str) -> Iterator[Chrome]:
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


@contextmanager
def cancel_sign_in(driver: Chrome) -> Iterator[None]:
    """Dismiss the browser's sign-in prompts until the block ends.

    The driver cannot do this, because it waits for the page, which waits for the sign-in answer.
    Therefore, this function opens a separate connection to the browser.
    """
    debugger = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    tab = f"ws://{debugger}/devtools/page/{driver.current_window_handle}"
    connection = create_connection(tab, suppress_origin=True, timeout=PATIENCE)
    connection.send(json.dumps({"id": 0, "method": "Fetch.enable", "params": {**EVERY_REQUEST}}))
    connection.recv()  # the browser intercepts requests from now on
    thread = Thread(target=answer_questions, args=(connection,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        connection.send(json.dumps({"id": 1, "method": "Fetch.disable"}))
        thread.join(PATIENCE)
        connection.close()


def answer_questions(connection: WebSocket) -> None:
    while True:
        message = json.loads(connection.recv())
        if message.get("id") == 1:
            return
        if message.get("method") == "Fetch.requestPaused":
            method, parameters = "Fetch.continueRequest", {}
        elif message.get("method") == "Fetch.authRequired":
            method, parameters = "Fetch.continueWithAuth", CANCELLED
        else:
            continue
        parameters = {**parameters, "requestId": message["params"]["requestId"]}
        connection.send(json.dumps({"id": 2, "method": method, "params": parameters}))
