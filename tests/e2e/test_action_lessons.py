"""Lessons are injected after a failed command and into a subagent, in the real client."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..support.command_line import build_environment
from ..support.lesson_server_process import LessonServer, run_lesson_server
from ..support.project import render
from .clients.claude import DELEGATE, Claude
from .clients.client import Client
from .lessons import LESSON, PROMPT
from .model import TASK

HEADING = "Relevant Lessons"
# A script that fails unless its undocumented requirement is met.
REPORT = 'test "$RATES" || { echo "report: no exchange rates were loaded" >&2; exit 3; }; echo ok\n'
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


def prepare_client(client: Client, hooks: Path) -> Client:
    (client.home / "work" / "report.sh").write_text(REPORT)
    return client.install(hooks)


@pytest.mark.parametrize("name", ["claude", "copilot", "gemini", "opencode", "qwen"])
def test_failed_command_gets_the_lesson_once(
    set_up: Callable[[str], Client], hooks: Path, server: LessonServer, name: str
) -> None:
    server.ask("/api/ingest", {"text": FIX})
    client = prepare_client(set_up(name), hooks)
    fails, works = client.shell(FAILING), client.shell(FIXED)
    run = client.converse([works], [fails], [fails])
    assert [FIX in decision.text for decision in run.main] == [False, True, False]


def test_successful_command_starts_no_hook(claude: Claude, hooks: Path) -> None:
    client = prepare_client(claude, hooks)
    (script,) = client.home.rglob("PostToolUseFailure/*.py")
    script.write_text("import sys; open(__file__ + '.started', 'w').write(sys.stdin.read())\n")
    client.converse([client.shell(FIXED)])
    assert not [*client.home.rglob("*.started")]
    client.converse([client.shell(FAILING)])
    assert [*client.home.rglob("*.started")]


def test_subagent_gets_its_own_lessons(claude: Claude, hooks: Path, server: LessonServer) -> None:
    for text in (FIX, LESSON):
        server.ask("/api/ingest", {"text": text})
    client = prepare_client(claude, hooks)
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
    client = prepare_client(claude, hooks)
    (settings,) = client.home.rglob("settings.json")
    denied = {**json.loads(settings.read_text()), "permissions": {"deny": ["Agent"]}}
    settings.write_text(json.dumps(denied))
    run = client.converse(*client.delegate(f"{TASK} 1: {PROMPT}"))
    assert run.errors == [[True]]
    assert run.subagents == ()
    assert DELEGATE.tool not in run.tools


def test_lesson_from_one_session_is_injected_in_the_next(
    claude: Claude, hooks: Path, server: LessonServer
) -> None:
    """A command fails, then passes; the candidate is approved and injected at the next failure."""
    client = prepare_client(claude, hooks)
    first = client.converse([client.shell(FAILING)], [client.shell(FIXED)])
    assert HEADING not in first.last
    assert "1 new candidate" in ask_lessons(client, server, "capture")
    (candidate,) = json.loads(ask_lessons(client, server, "inbox", "--json"))
    second = client.converse([client.shell(FAILING)])
    assert HEADING not in second.last
    ask_lessons(client, server, "inbox", "approve", candidate["id"])
    third = client.converse([client.shell(FAILING)])
    assert f"What helped: `{FIXED}`" in third.main[0].text


def ask_lessons(client: Client, server: LessonServer, *words: str) -> str:
    completed = subprocess.run(
        [sys.executable, "-m", "lesson_search", *words, "--data", str(server.folder)],
        capture_output=True,
        check=True,
        env={**build_environment(), "CLAUDE_CONFIG_DIR": client.environment["CLAUDE_CONFIG_DIR"]},
        text=True,
    )
    return completed.stdout
