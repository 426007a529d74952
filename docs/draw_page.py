"""Draw the lesson server's page: a real server with the shipped lessons, in a real browser."""

import base64
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the tests' browser driver

from examples.recorded_lessons import read_recorded  # noqa: E402 - found by the line above
from lesson_search.capture.inbox import open_inbox  # noqa: E402 - as above
from lesson_search.capture.rules import Candidate  # noqa: E402 - as above
from lesson_search.retrieval.evaluation import LABELLED  # noqa: E402 - as above
from tests.browser.browser import Page, run_browser  # noqa: E402 - as above
from tests.support.lesson_server_process import run_lesson_server  # noqa: E402 - as above

DOCS = ROOT / "docs"
SCHEMES = ("light", "dark")
SESSION = ("3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a", "~/code/shop", "2026-11-20T10:00:00Z", "")
CANDIDATES = [
    Candidate("corrected", "We use pnpm here, never npm: the lock file is pnpm's.", *SESSION),
    Candidate("said", "The staging database is read-only on Fridays.", *SESSION),
    Candidate(
        "fixed",
        "`make test` fails with: No module named 'yaml'\nWhat helped: `make .venv/ready`",
        *SESSION,
    ),
]
MAX_PICTURE = 100_000  # bytes per picture


def show_lessons(page: Page) -> None:
    page.open()
    page.write("[name=words]", "docker build lost its cache")
    page.wait_for("#found", "nearest")
    # The search duration varies.
    page.run("document.activeElement.blur(); document.getElementById('found').textContent = ''")


def show_prompt(page: Page) -> None:
    """Show what an agent receives for a prompt, and the effect of a minimum score."""
    page.open("prompt")
    page.write("#prompt [name=prompt]", read_recorded()["prompt"])
    page.wait_for("#context", "Relevant Lessons")
    page.wait_for("#outcome", "At this score")
    page.run("document.activeElement.blur()")


# Size in pixels and content of each picture.
PICTURES: dict[str, tuple[int, int, Callable[[Page], None]]] = {
    "page-lessons": (1000, 800, show_lessons),
    "page-inbox": (1000, 640, lambda page: page.open("inbox")),
    "page-prompt": (1000, 860, show_prompt),
    "page-narrow": (360, 960, show_lessons),
}


def main() -> int:
    """Draw all pictures in both colour schemes; return 0."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        raise SystemExit("Chromium is not installed (Debian: apt install chromium chromium-driver)")
    labelled = (LABELLED / "lessons.jsonl").read_text("utf-8").splitlines()
    lessons = [*map(json.loads, labelled), *read_recorded()["lessons"]]
    with (
        tempfile.TemporaryDirectory() as home,
        run_lesson_server(Path(home, "data"), prefix=(), before=(), HOME=home) as server,
        run_browser(chromium, chromedriver) as driver,
    ):
        server.ask("/api/ingest/bulk", {"lessons": lessons})
        with open_inbox(server.folder) as inbox:
            inbox.add(CANDIDATES, time.time())
        page = Page(driver, server.url)
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        for name, (width, height, show) in PICTURES.items():
            for scheme in SCHEMES:
                page.resize(width, height)
                page.choose_scheme(scheme)
                show(page)
                draw(page, DOCS / f"{name}-{scheme}.webp")
    return 0


def draw(page: Page, path: Path) -> None:
    picture = page.driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"format": "webp", "quality": 90}
    )
    content = base64.b64decode(picture["data"])
    if len(content) > MAX_PICTURE:
        raise SystemExit(f"{path.name} has {len(content):,} bytes, more than {MAX_PICTURE:,}")
    path.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
