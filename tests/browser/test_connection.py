"""The page reports a lost connection and recovers once the server is back."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome

from ..support.lesson_server_process import run_lesson_server
from .browser import Page, cancel_sign_in
from .conftest import LESSONS
from .test_accessibility import check_appearances, list_violations
from .test_hostile import VIEWS

ONLY_READS = "this token is read-only"
TOKENS = {"LESSON_SEARCH_TOKEN": "full", "LESSON_SEARCH_READ_TOKEN": "read"}


def test_stopped_server_is_reported_until_it_returns(
    driver: Chrome, tmp_path: Path, axe: str
) -> None:
    with run_lesson_server(tmp_path) as server:
        server.ask("/api/ingest/bulk", {"lessons": LESSONS})
        page = Page(driver, server.url)
        page.open()
        page.use("[aria-label='Edit heap']", "mouse")
        page.write("#editor [name=text]", "Saved later.")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "nothing was saved yet")
    page.wait(lambda: page.find("#connection").is_displayed())
    check_appearances(page, axe)
    with run_lesson_server(tmp_path, "--port", str(urlsplit(page.url).port)) as server:
        page.wait(lambda: not page.find("#connection").is_displayed())
        page.use("#editor [value=save]", "mouse")
        page.wait_for("#message", "saved")
        assert server.ask("/api/lessons/heap")["text"] == "Saved later."


def test_views_work_without_a_server(driver: Chrome, tmp_path: Path, axe: str) -> None:
    with run_lesson_server(tmp_path, prefix=(), before=(), HOME=str(tmp_path)) as server:
        page = Page(driver, server.url)
        page.open()
        page.wait_for("#found", "There are no lessons yet")
        # Resources load in order: if the last one has loaded, all others have.
        page.wait(
            lambda: page.run(
                "return performance.getEntriesByName(arguments[0]).length",
                f"{page.url}/page/hooks.js",
            )
        )
    for view in (*VIEWS[1:], VIEWS[0]):
        page.use(f"header nav a[href='#/{view}']", "mouse")
        page.wait(page.find(f"#{view}").is_displayed)
        page.wait(lambda: page.find("#connection").is_displayed())
        check_appearances(page, axe)
    port = str(urlsplit(page.url).port)
    with run_lesson_server(tmp_path, "--port", port, prefix=(), before=(), HOME=str(tmp_path)):
        page.wait(lambda: not page.find("#connection").is_displayed())
        page.wait_for("#found", "There are no lessons yet")


@pytest.mark.parametrize(
    ("user", "words"),
    [("", "This server needs its token: sign in"), ("me:x@", "This is not the token of this")],
)
def test_missing_sign_in_is_reported(
    driver: Chrome, tmp_path: Path, axe: str, user: str, words: str
) -> None:
    with run_lesson_server(tmp_path, prefix=(), before=(), HOME=str(tmp_path), **TOKENS) as server:
        page = Page(driver, server.url)
        with cancel_sign_in(driver):
            driver.get(server.url.replace("://", f"://{user}"))
            page.wait_for("main", words)
            assert page.read("main a") == "Sign in"
            check_appearances(page, axe)


def test_changed_token_is_requested_again(driver: Chrome, tmp_path: Path, axe: str) -> None:
    first, other = {"LESSON_SEARCH_TOKEN": "first"}, {"LESSON_SEARCH_TOKEN": "other"}
    with run_lesson_server(tmp_path, prefix=(), before=(), **first) as server:
        page = Page(driver, server.url.replace("://", "://me:first@"))
        page.open()
        page.wait_for("#found", "There are no lessons yet")
    port = str(urlsplit(server.url).port)
    again = run_lesson_server(tmp_path, "--port", port, prefix=(), before=(), **other)
    with again, cancel_sign_in(driver):
        page.use("#add", "mouse")
        page.write("#editor [name=text]", "Pin the digest of a base image.")
        page.use("#editor [value=save]", "mouse")
        page.wait_for("#editor .notice", "Not signed in")
        page.use("#editor [value=cancel]", "mouse")
        page.wait_for("#signed-out", "The server no longer accepts your token")
        check_appearances(page, axe)
        page.use("#signed-out button", "keyboard")
        page.wait_for("main", "This is not the token of this server: sign in")


@pytest.mark.parametrize("may", ["full", "read"])
def test_token_permissions_are_respected(
    driver: Chrome, tmp_path: Path, axe: str, may: str
) -> None:
    with run_lesson_server(tmp_path, prefix=(), before=(), HOME=str(tmp_path), **TOKENS) as server:
        page = Page(driver, server.url.replace("://", f"://me:{may}@"))
        page.list_errors()
        page.open()
        page.wait_for("#found", "There are no lessons yet")
        page.use("#add", "mouse")
        page.write("#editor [name=text]", "Pin the digest of a base image.")
        page.use("#editor [value=save]", "mouse")
        if may == "full":
            page.wait_for("#list", "Pin the digest")
            return
        page.wait_for("#editor .notice", ONLY_READS)
        assert list_violations(page, axe) == []
        page.use("#editor [value=cancel]", "mouse")
        for view in ("deleted", "activity", "hooks"):
            page.open(view)
            page.wait(lambda: ONLY_READS in page.read("body"))
