"""Lessons are injected after a failed command and into a subagent, in the real client."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from ..browser.browser import Page
from ..support.lesson_server_process import LessonServer, run_lesson_server
from ..support.project import render
from .clients.claude import DELEGATE, Claude
from .clients.client import Client
from .lessons import LESSON, PROMPT
from .model import TASK

HEADING = "Relevant Lessons"
# A script that fails unless its requirement is known. It pauses, because Qwen Code sometimes loses
# the output of commands that take only milliseconds.
REPORT = """
test "$RATES" || { echo "report: no exchange rates were loaded" >&2; sleep 0.5; exit 3; }
echo ok
"""
FAILING, FIXED = "sh report.sh --month May", "RATES=may.csv sh report.sh --month May"
FIX = "The report says no exchange rates were loaded: set RATES to the file of the month."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LessonServer]:
    with run_lesson_server(tmp_path / "lessons") as server:
        yield server


@pytest.fixture
def hooks(server: LessonServer, template: Path, tmp_path: Path) -> Path:
    return render(
        template,
        tmp_path / "my-hooks",
        clients=["claude", "codex", "copilot", "gemini", "opencode", "qwen"],
        hooks=["lesson_search"],
        lesson_server_url=server.url,
        check_every_command=True,
        lesson_time_limit=20,  # to allow for a busy machine
    )


def furnish(client: Client, hooks: Path) -> Client:
    (client.home / "work" / "report.sh").write_text(REPORT)
    return client.install(hooks)


@pytest.mark.parametrize("name", ["claude", "copilot", "gemini", "opencode", "qwen"])
def test_failed_command_gets_the_lesson_once(
    set_up: Callable[[str], Client], hooks: Path, server: LessonServer, name: str
) -> None:
    server.ask("/api/ingest", {"text": FIX})
    client = furnish(set_up(name), hooks)
    fails, works = client.shell(FAILING), client.shell(FIXED)
    run = client.converse([works], [fails], [fails])
    assert [FIX in told.text for told in run.main] == [False, True, False]


def test_successful_command_starts_no_hook(claude: Claude, hooks: Path) -> None:
    client = furnish(claude, hooks)
    (script,) = client.home.rglob("PostToolUseFailure/action_lessons-*.py")
    script.write_text("import sys; open(__file__ + '.started', 'w').write(sys.stdin.read())\n")
    client.converse([client.shell(FIXED)])
    assert not [*client.home.rglob("*.started")]
    client.converse([client.shell(FAILING)])
    assert [*client.home.rglob("*.started")]


def test_subagent_gets_its_own_lessons(claude: Claude, hooks: Path, server: LessonServer) -> None:
    for text in (FIX, LESSON):
        server.ask("/api/ingest", {"text": text})
    client = furnish(claude, hooks)
    run = client.converse(
        [client.shell(FAILING)],
        *client.delegate(f"{TASK} 1: {PROMPT}"),
        subagent_script=[[client.shell(FAILING)]],
        prompt=PROMPT,
    )
    (task,) = run.tasks
    assert task.count(LESSON) == 1
    assert FIX in run.subagents[0][0].text


def test_denied_subagent_stays_denied(claude: Claude, hooks: Path, server: LessonServer) -> None:
    server.ask("/api/ingest", {"text": LESSON})
    client = furnish(claude, hooks)
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
