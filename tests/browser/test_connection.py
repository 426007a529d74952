"""The page tells when its server is gone, and goes on when it is back."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome

from ..support.lesson_server_process import run_lesson_server
from .browser import Page
from .conftest import LESSONS
from .test_accessibility import list_violations

ONLY_READS = "this token only searches and reads"


def test_stopped_and_back(driver: Chrome, tmp_path: Path) -> None:
    """A change that is not saved stays in the editor, and is saved once the server is back."""
    with run_lesson_server(tmp_path) as server:
        server.ask("/api/ingest/bulk", {"lessons": LESSONS})
        page = Page(driver, server.url)
        page.open()
        page.use("[aria-label='Edit heap']", "mouse")
        page.write("#editor [name=text]", "Saved later.")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "nothing is saved yet")
    page.wait(lambda: page.find("#connection").is_displayed())
    with run_lesson_server(tmp_path, "--port", str(urlsplit(page.url).port)) as server:
        page.wait(lambda: not page.find("#connection").is_displayed())
        page.use("#editor [value=save]", "mouse")
        page.wait_for("#message", "saved")
        assert server.ask("/api/lessons/heap")["text"] == "Saved later."


@pytest.mark.parametrize("may", ["full", "read"])
def test_token(driver: Chrome, tmp_path: Path, axe: str, may: str) -> None:
    """One signs in with a token as the password, and is told where it only reads."""
    tokens = {"LESSON_SEARCH_TOKEN": "full", "LESSON_SEARCH_READ_TOKEN": "read"}
    with run_lesson_server(tmp_path, prefix=(), before=(), HOME=str(tmp_path), **tokens) as server:
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
