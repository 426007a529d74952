"""Lessons are injected after a failed command and into a subagent, in the real client."""

import json
import os
import sys
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from ..browser.browser import Page
from ..support.lesson_server_process import run_lesson_server
from ..support.project import render
from .clients.claude import DELEGATE, Claude
from .clients.client import Client
from .lessons import ERROR, FAILURE, LESSON, PROMPT
from .model import TASK

HEADING = "Relevant Lessons"
# A script that fails unless its requirement is known.
REPORT = """
test "$RATES" || { echo "report: no exchange rates were loaded" >&2; exit 3; }
echo ok
"""
FAILING, FIXED = "sh report.sh --month May", "RATES=may.csv sh report.sh --month May"


@pytest.fixture
def hooks(lesson_server: str, template: Path, tmp_path: Path) -> Path:
    return render(
        template,
        tmp_path / "my-hooks",
        hooks=["lesson_search"],
        lesson_server_url=lesson_server,
        check_every_command=True,
        lesson_time_limit=20,  # to allow for a busy machine
    )


def furnish(client: Client, hooks: Path) -> Client:
    (client.home / "work" / "report.sh").write_text(REPORT)
    return client.install(hooks)


def test_successful_command_starts_no_hook(claude: Claude, hooks: Path) -> None:
    client = furnish(claude, hooks)
    (script,) = client.home.rglob("PostToolUseFailure/action_lessons-*.py")
    script.write_text("import sys; print(sys.stdin.read(), file=open(__file__ + '.events', 'a'))\n")
    client.converse([client.shell(FIXED)], [client.shell(FAILING)])
    (events,) = client.home.rglob("*.events")
    assert json.loads(events.read_text())["tool_input"]["command"] == FAILING


def test_subagent_gets_its_own_lessons(claude: Claude, hooks: Path) -> None:
    client = claude.install(hooks)
    fails = client.shell(f"echo {ERROR}; exit 3")
    run = client.converse(
        [fails],
        *client.delegate(f"{TASK} 1: {PROMPT}"),
        subagent_script=[[fails]],
        prompt=PROMPT,
    )
    (task,) = run.tasks
    assert task.count(LESSON) == 1
    assert FAILURE in run.subagents[0][0].text


def test_denied_subagent_stays_denied(claude: Claude, hooks: Path) -> None:
    client = claude.install(hooks)
    (settings,) = client.home.rglob("settings.json")
    denied = {**json.loads(settings.read_text()), "permissions": {"deny": ["Agent"]}}
    settings.write_text(json.dumps(denied))
    run = client.converse(*client.delegate(f"{TASK} 1: {PROMPT}"))
    assert run.errors == [[True]]
    assert run.subagents == ()
    assert DELEGATE.tool not in run.tools


def test_lesson_approved_on_the_page_is_injected_in_the_next_session(
    claude: Claude, template: Path, driver: Chrome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command fails, then passes; the next session's hook finds that, and nothing else."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    data = claude.home / ".local" / "share" / "lesson-search"  # where the hook expects it
    with run_lesson_server(data) as server:
        hooks = render(
            template,
            claude.home / "my-hooks",
            hooks=["lesson_search"],
            capture=True,
            lesson_server_url=server.url,
            lesson_time_limit=20,
        )
        client = furnish(claude, hooks)
        other = client.shell("ls no-such-folder")
        first = client.converse(
            [other, client.shell("ls")],
            [client.shell(FAILING)],
            [client.shell(FIXED)],
            prompt="Please run the report for May, and tell me whether it was written.",
        )
        second = client.converse([client.shell(FAILING)])
        page = Page(driver, server.url)
        page.wait(lambda: server.ask("/api/inbox")["items"])  # the hook's search has ended
        page.open("inbox")
        page.wait(lambda: page.find_all("#inbox-items li > p"))
        (text,) = page.read_all("#inbox-items li > p")
        assert f"What helped: `{FIXED}`" in text
        page.find("#inbox-items li").send_keys("a")
        page.wait_for("#inbox-status", "The inbox is empty")
        third = client.converse([client.shell(FAILING)])
    assert HEADING not in first.last + second.last
    assert f"What helped: `{FIXED}`" in third.main[0].text
