"""Fixtures: a real server with lessons, and its page in a real browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.webdriver import Chrome

from ..support.lesson_server_process import LessonServer, run_lesson_server
from .browser import Page, run_browser
from .machine import Machine, furnish_machine

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
LESSONS: list[dict[str, object]] = [
    {
        "id": "cache",
        "text": "The docker build cache is lost when COPY comes first.",
        "categories": ["devops/docker"],
    },
    {
        "id": "cache-too",
        "text": "The docker build cache is lost when the COPY comes first.",
        "categories": ["devops/docker"],
    },
    {
        "id": "deadlock",
        "text": "Sort the ids before the UPDATE loop, or two workers deadlock.",
        "categories": ["development/database"],
    },
    {
        "id": "heap",
        "text": "Raise Node's heap when the frontend build fails with ENOMEM.",
        "categories": ["development/frontend"],
        "source_file": "notes/ci.md",
    },
    {
        "id": "flaky",
        "text": "Freeze the clock in tests that compare dates.",
        "categories": ["development/testing"],
    },
]
SKILL: dict[str, object] = {"id": "review", "text": "Review a pull request.", "trigger": "/review"}


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    chromedriver = shutil.which("chromedriver")
    if not chromium or not chromedriver:
        pytest.skip("Chromium is not installed (Debian: apt install chromium chromium-driver)")
    with run_browser(chromium, chromedriver) as browser:
        yield browser


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return furnish_machine(tmp_path_factory.mktemp("machine") / "me")


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory, machine: Machine) -> Iterator[LessonServer]:
    folder = tmp_path_factory.mktemp("lessons")
    with run_lesson_server(
        folder, "--record", "lessons", prefix=(), before=(), **machine.variables
    ) as server:
        yield server


@pytest.fixture
def server(running: LessonServer) -> LessonServer:
    for collection in ("lessons", "skills"):
        for record in running.ask(f"/api/{collection}")["records"]:
            running.ask(f"/api/{collection}/{quote(record['id'], safe='')}", method="DELETE")
    rows = [{**row, "restore": True} for row in (*LESSONS, SKILL)]
    running.ask("/api/ingest/bulk", {"lessons": rows})
    return running


@pytest.fixture
def page(driver: Chrome, server: LessonServer) -> Page:
    page = Page(driver, server.url)
    page.choose_scheme("light")
    page.list_errors()
    return page


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: run npm ci --prefix tests/browser")
    return AXE.read_text("utf-8")
