"""Time the lesson server's page in a real Chromium, and searches while tabs show the page."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.table import Table

from tests.browser.browser import Page, run_browser

from . import bench_server
from .reporting import report

VISITS, STEPS, TABS = 15, 40, 10
WORDS = "why is the docker build cache lost in the pipeline"
# Upper limits with 10,000 lessons.
PATHS = {"the hook": bench_server.HOOK, "a search of the API": bench_server.QUERY}
LIMITS = {"first page ms": 150, "first page kB": 150, "filter step ms": 50}
# The page itself records when it draws the first lessons, because the driver can query only a
# loaded page.
WATCH = """
new MutationObserver((_, watcher) => {
  if (!document.querySelector("#list li")) return;
  watcher.disconnect();
  requestAnimationFrame(() => { window.listed = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""
# From the start of the navigation until the lessons are listed.
LISTED = """
const done = arguments[0];
const check = () => window.listed ? done(window.listed) : requestAnimationFrame(check);
check();
"""
SENT = """
return performance.getEntries().reduce((sum, one) => sum + (one.transferSize || 0), 0)
"""
# From a key press until the list has changed.
STEP = """
const [text, done] = arguments;
const field = document.querySelector("[name=words]"), list = document.getElementById("list");
const watcher = new MutationObserver(() => {
  watcher.disconnect();
  done(performance.now() - start);
});
watcher.observe(list, { childList: true });
const start = performance.now();
field.value = text;
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


def main() -> int:
    """Print the figures; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, default=10_000)
    options = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        raise SystemExit("Chromium is not installed (Debian: apt install chromium chromium-driver)")
    with (
        tempfile.TemporaryDirectory() as folder,
        bench_server.run_server(Path(folder), plain=False) as running,
    ):
        bench_server.measure_ingest(running.port, options.lessons)
        before = measure_searches(running.port)
        with run_browser(chromium, chromedriver) as driver:
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            page = Page(driver, f"http://127.0.0.1:{running.port}", latency=0)
            figures = measure_page(page)
            for _ in range(TABS - 1):
                driver.switch_to.new_window("tab")
                page.open()
                page.wait(lambda: page.find_all("#list li"))
            meanwhile = measure_searches(running.port)
        after = measure_searches(running.port)
    table, missed = build_page_table(figures, options.lessons)
    searches = build_search_table(before, meanwhile, after)
    report("page", table, searches, about=__doc__)
    return int(missed)


def measure_searches(port: int) -> dict[str, float]:
    """Return the median times of a hook request and of a search, in milliseconds."""
    prompts = [{"prompt": WORDS[: 12 + n]} for n in range(20)]
    bodies = [json.dumps(prompt).encode() for prompt in prompts]
    medians = {}
    for name, path in PATHS.items():
        bench_server.measure_latency(port, path, bodies)
        medians[name] = float(np.median(bench_server.measure_latency(port, path, bodies)) * 1000)
    return medians


def build_search_table(*measured: dict[str, float]) -> Table:
    table = Table(
        "p50 in ms", "no page", f"{TABS} tabs", "no page again", title="While the page is open"
    )
    for name in PATHS:
        table.add_row(name, *(f"{each[name]:,.2f}" for each in measured))
    return table


def build_page_table(figures: dict[str, float], lessons: int) -> tuple[Table, bool]:
    """Return a table of the page's speed, and whether a limit is missed."""
    table = Table("figure", "", "at most", title=f"The page, {lessons:,} lessons")
    missed = False
    for name, figure in figures.items():
        over = figure > LIMITS[name]
        missed |= over
        table.add_row(name, f"{figure:,.1f}", f"{LIMITS[name]}{' missed' if over else ''}")
    return table, missed


def measure_page(page: Page) -> dict[str, float]:
    driver = page.driver
    visits, sizes = [], []
    for _ in range(VISITS):
        driver.get("about:blank")
        driver.get(f"{page.url}/")
        visits.append(driver.execute_async_script(LISTED))
        sizes.append(page.run(SENT) / 1000)
    steps = [
        driver.execute_async_script(STEP, WORDS[: 3 + number % (len(WORDS) - 3)])
        for number in range(STEPS)
    ]
    return {
        "first page ms": float(np.median(visits)),
        "first page kB": float(np.median(sizes)),
        "filter step ms": float(np.median(steps)),
    }


if __name__ == "__main__":
    sys.exit(main())
