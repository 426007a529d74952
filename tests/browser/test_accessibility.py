"""The page passes axe-core's accessibility checks."""

from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver import Chrome

from ..support.lesson_server_process import LessonServer, run_lesson_server
from .browser import Page

RUN = "const [rules, done] = arguments; axe.run(rules).then((found) => done(found.violations))"
# The text that each view shows when it has no data.
NOTHING = {
    "lessons": "There are no lessons yet",
    "inbox": "The inbox is empty",
    "review": "Nothing needs a decision",
    "deleted": "Nothing to restore",
    "prompt": "What an agent gets",
    "documentation": "There is no database yet",
    "activity": "Lessons are not recorded",
    "hooks": "No project is installed",
}
SECRET = "Use ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
COLORS = ["color-contrast", "link-in-text-block"]  # the rules that depend on colours
# Options of axe.run for each colour scheme, which changes nothing but colours.
SCHEMES: dict[str, dict[str, list[str]]] = {"light": {}, "dark": {"runOnly": COLORS}}
WIDTHS = (360, 1000)
# Fakes a response that a real server sends only briefly or after a failure.
FAKE_ANSWER = """
const [end, answer] = arguments, real = window.fetch;
window.fetch = (url, options) =>
  String(url).endsWith(end)
    ? Promise.resolve(new Response(JSON.stringify(answer)))
    : real(url, options);
"""
RESTING = {"running": False, "stage": "", "done": 0, "total": 0, "message": "", "question": ""}


def show_search(page: Page) -> None:
    page.open()
    page.use("#tree summary", "mouse")
    page.write("[name=words]", "docker")
    page.wait_for("#found", "nearest")


def show_selection(page: Page) -> None:
    page.open("lessons?category=devops")
    page.use("[aria-label='Select cache']", "mouse")


def show_editor(page: Page) -> None:
    page.open()
    page.use("[aria-label='Edit heap']", "mouse")


def show_refusal(page: Page) -> None:
    page.open()
    page.use("#add", "mouse")
    page.write("#editor [name=text]", SECRET)
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "looks like it holds")


def show_conflict(page: Page) -> None:
    show_editor(page)
    page.run(
        "return fetch('api/lessons/heap', {method: 'PUT', body: '{\"text\": \"Theirs.\"}',"
        " headers: {'Content-Type': 'application/json'}})"
    )
    page.write("#editor [name=text]", "Mine.")
    page.use("#editor [value=save]", "mouse")
    page.wait_for("#editor .notice", "Someone else has changed it")


def show_skill(page: Page) -> None:
    page.open()
    page.choose("[name=collection]", "Skills", "mouse")
    page.use("[aria-label='Edit review']", "mouse")


def show_embedder_down(page: Page) -> None:
    page.open()
    page.run(FAKE_ANSWER, "/health", {"embedder": "down"})
    page.run(FAKE_ANSWER, "/query", {"results": {"lessons": []}, "query_time_ms": 1})
    page.write("[name=words]", "docker")
    page.wait_for("#found", "The embedder is down")


def show_refused_category(page: Page) -> None:
    page.open("lessons?category=No%20Path")
    page.wait_for("#found", "category")
    page.wait_for("#message", "below")


def show_empty_category(page: Page) -> None:
    page.open("lessons?category=nowhere")
    page.wait_for("#found", "This category is empty.")


def show_undo(page: Page) -> None:
    page.open()
    page.use("[aria-label='Edit heap']", "mouse")
    page.use("#editor [value=delete]", "mouse")
    page.run("location.hash = '#/deleted'")
    page.wait_for("#deletions", "heap")
    page.wait_for("#message", "is deleted")


def show_prompt(page: Page) -> None:
    page.open("prompt")
    page.write("#prompt [name=prompt]", "why is the docker build cache lost")
    page.wait_for("#context", "Relevant Lessons")


def show_silence(page: Page) -> None:
    page.open("prompt")
    page.write("#prompt [name=prompt]", "yes")
    page.wait_for("#context", "no search is made")


def show_refresh(page: Page) -> None:
    state = {**RESTING, "running": True, "stage": "Cutting", "done": 3, "total": 7}
    show_databases(page, {"name": "acme", "refresh": state}, "Cutting: 3 of 7")
    assert page.find("progress").is_displayed()


def show_question(page: Page) -> None:
    state = {**RESTING, "question": "acme would have 3 of 5 pages: replace the old ones?"}
    show_databases(page, {"name": "acme", "refresh": state}, "Nothing has changed yet.")
    assert page.find("[aria-label='Refresh anyway: acme']").is_displayed()


def show_damage(page: Page) -> None:
    error = "the index is damaged: run hookwright refresh acme"
    show_databases(page, {"name": "acme", "refresh": RESTING, "error": error}, error)


def show_databases(page: Page, row: dict[str, object], words: str) -> None:
    facts = {"title": "Acme", "pages": 5, "passages": 9, "bytes": 9_999, "age": 3, "error": ""}
    page.open("documentation")
    page.wait_for("#databases", "acme")
    page.run(FAKE_ANSWER, "/refresh", row["refresh"])
    page.run(FAKE_ANSWER, "/databases", {"databases": [{**facts, **row}]})
    page.run("dispatchEvent(new Event('reconnected'))")
    page.wait_for("#databases", words)


def show_refused_search(page: Page) -> None:
    page.open("documentation")
    page.write("#docs-search [name=query]", " ")
    page.use("#docs-search button", "mouse")
    page.wait_for("#hits-found", "query: expected a text")


def show_documentation(page: Page) -> None:
    page.open("documentation")
    page.write("#docs-search [name=query]", "signed cookies")
    page.use("#docs-search button", "mouse")
    page.wait_for("#docs-context", "signed cookies")


def show_reader(page: Page) -> None:
    show_documentation(page)
    page.use("#hits button", "mouse")
    page.wait_for("#reader mark", "signed cookies")


def show_unrecorded(page: Page) -> None:
    row = {"kind": "redirects", "record": "gitlab", "count": 0, "days": {}}
    answer = {"activities": [row], "unrecorded": ["my-hooks"], "projects": 1}
    page.open()
    page.run(FAKE_ANSWER, "days=30", answer)
    page.run("location.hash = '#/activity'")
    page.wait_for("#activity-charts", "not recorded")
    assert "gitlab" not in page.read("#activity")


def show_activity(page: Page) -> None:
    page.open("activity")
    page.wait(lambda: len(page.find_all("#activity-charts .bars span")) > 1)


def show_trial(page: Page) -> None:
    page.open("hooks")
    page.use("[aria-label='Show my-hooks']", "mouse")
    page.wait_for("#project-records", "gitlab")
    page.write("#trial [name=text]", "gitlab runner tags")
    page.use("#trial button", "mouse")
    page.wait_for("#trial-hooks", "docsearch: denied")


def show_review(page: Page) -> None:
    page.open("review")
    page.wait_for("#findings", "cache-too")


STATES: tuple[Callable[[Page], None], ...] = (
    *(show_search, show_selection, show_editor, show_refusal, show_undo, show_review),
    *(show_prompt, show_documentation, show_reader, show_unrecorded, show_activity, show_trial),
    *(show_conflict, show_skill, show_refused_category, show_empty_category, show_silence),
    show_embedder_down,
    *(show_refresh, show_question, show_damage, show_refused_search),
)


def check_appearances(page: Page, axe: str) -> None:
    for width in WIDTHS:
        page.resize(width)
        assert page.run("return document.documentElement.scrollWidth") <= width
        for scheme, rules in SCHEMES.items():
            page.choose_scheme(scheme)
            assert list_violations(page, axe, rules) == [], (width, scheme)


def list_violations(
    page: Page, axe: str, rules: dict[str, list[str]] | None = None
) -> list[tuple[str, list[str]]]:
    if not page.run("return 'axe' in window"):
        page.run(axe)
    violations = page.driver.execute_async_script(RUN, rules or {})
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"]])
        for violation in violations
    ]


@pytest.mark.parametrize("show", STATES, ids=lambda show: show.__name__)
def test_axe_finds_no_violations(page: Page, axe: str, show: Callable[[Page], None]) -> None:
    page.resize(min(WIDTHS))
    show(page)
    check_appearances(page, axe)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LessonServer]:
    home = tmp_path_factory.mktemp("empty")
    variables = {"HOME": str(home), "HOOKWRIGHT_DOCS": str(home / "docs"), "CLAUDE_CONFIG_DIR": ""}
    with run_lesson_server(home / "data", prefix=(), before=(), **variables) as server:
        yield server


def test_empty_server_is_accessible(driver: Chrome, empty: LessonServer, axe: str) -> None:
    page = Page(driver, empty.url)
    page.list_errors()
    for view, words in NOTHING.items():
        page.open(view)
        page.wait_for(f"#{view}", words)
        if view == "lessons":
            page.write("[name=words]", "docker")
            page.wait_for("#found", "No matches.")
        check_appearances(page, axe)
    assert page.list_errors() == []
