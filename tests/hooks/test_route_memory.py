"""The tool_routing hook stores denials, block counts and block records."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ..support.hypothesis_profiles import mark_long
from ..support.project import (
    GITHUB_API,
    MESSAGE,
    PULL_REQUEST,
    URL,
    Answer,
    bash_event,
    call_event,
    fetch_event,
    render,
    run_hook,
)

ROUTES = {"github-pr": {**PULL_REQUEST, "once": True}, "api": {**GITHUB_API, "once": True}}

Call = Callable[..., Answer]
Prepare = Callable[..., Call]


@pytest.fixture(scope="module")
def render_routes(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    rendered: dict[str, Path] = {}

    def build(**answers: Any) -> Path:
        key = json.dumps(answers)
        if key not in rendered:
            rendered[key] = render(template, tmp_path_factory.mktemp("routes") / "p", **answers)
        return rendered[key] / "hooks" / "tool_routing.py"

    return build


@pytest.fixture
def prepare(render_routes: Callable[..., Path], config: Path) -> Prepare:
    def build(routes: dict[str, Any] = ROUTES, **answers: Any) -> Call:
        hook = render_routes(routes=routes, **answers)
        return lambda event, folder=config: run_hook(hook, event, folder)

    return build


def list_states(config: Path) -> list[Path]:
    return sorted((config / "hooks").glob("tool_routing-state-*"))


def test_identical_call_goes_through_once(prepare: Prepare, config: Path) -> None:
    call = prepare()
    answer = call(fetch_event(URL))
    assert answer.reason == f"{MESSAGE}\n\nIf that falls short, repeat the identical WebFetch call."
    assert call(fetch_event(URL)).silent
    assert list_states(config) == []
    assert call(fetch_event(URL)).denied


def test_permanent_block_is_repeated(routing: Path, config: Path) -> None:
    for _ in range(3):
        assert run_hook(routing, fetch_event(URL), config).reason == MESSAGE
    assert list(config.iterdir()) == []


@pytest.mark.parametrize(
    "other",
    [
        fetch_event(f"{URL}1"),
        call_event("WebFetch", {"url": URL, "prompt": "Translate"}),
        fetch_event(URL, session_id="another"),
        fetch_event(URL, agent_id="subagent"),
    ],
)
def test_different_call_is_not_a_retry(prepare: Prepare, other: dict[str, object]) -> None:
    call = prepare()
    assert call(fetch_event(URL)).denied
    assert call(other).denied
    assert call(other).silent
    assert call(fetch_event(URL)).silent


def test_command_description_may_differ(prepare: Prepare) -> None:
    call = prepare()
    command = "curl https://api.github.com/users"
    assert call(bash_event(command)).denied
    again = {"command": command, "description": "Again"}
    assert call(call_event("Bash", again)).silent


def test_memory_contains_no_command(prepare: Prepare, config: Path) -> None:
    assert prepare()(bash_event("curl -u me:secret https://api.github.com/users")).denied
    [memory] = list_states(config)
    assert memory.stat().st_mode & 0o777 == 0o600
    denied = json.loads(memory.read_text())["last_denied"]
    assert denied == {"route": "api", "timestamp": pytest.approx(time.time(), abs=60)}
    assert "secret" not in memory.name


def test_denial_expires(prepare: Prepare, config: Path) -> None:
    call = prepare(retry_window=60)
    call(fetch_event(URL))
    [memory] = list_states(config)
    state = json.loads(memory.read_text())
    state["last_denied"]["timestamp"] -= 62
    memory.write_text(json.dumps(state))
    assert call(fetch_event(URL)).denied
    os.utime(memory, (time.time() - 90_000, time.time() - 90_000))
    call(fetch_event(f"{URL}1"))
    assert memory not in list_states(config)


def test_fatigue_limit_lets_calls_through(prepare: Prepare) -> None:
    call = prepare({"github-pr": PULL_REQUEST, "api": GITHUB_API}, fatigue_limit=2)
    assert [call(fetch_event(f"{URL}{n}")).denied for n in range(2)] == [True, True]
    for _ in range(2):
        answer = call(fetch_event(f"{URL}2"))
        note = "Let through: github-pr has blocked 2 calls in this session."
        assert (answer.code, answer.stderr) == (0, "")
        assert answer.output == {"hookEventName": "PreToolUse", "additionalContext": note}
    assert call(bash_event("curl https://api.github.com/users")).denied
    assert call(fetch_event(URL, session_id="another")).denied
    assert call(fetch_event(URL, session_id="another", agent_id="its subagent")).denied
    assert call(fetch_event(URL, session_id="another")).code == 0


def test_fatigue_counts_concurrent_calls(prepare: Prepare) -> None:
    call = prepare({"github-pr": PULL_REQUEST}, fatigue_limit=5)
    with ThreadPoolExecutor(30) as pool:
        answers = list(pool.map(call, [fetch_event(f"{URL}{n}") for n in range(30)]))
    assert sum(answer.code == 2 for answer in answers) == 5


@pytest.mark.parametrize("number", [12, *mark_long([100])])
def test_concurrent_calls_are_remembered(prepare: Prepare, config: Path, number: int) -> None:
    call = prepare()
    events = [fetch_event(f"{URL}{index}") for index in range(number)]
    with ThreadPoolExecutor(number) as pool:
        assert all(answer.denied for answer in pool.map(call, events))
        assert all(answer.silent for answer in pool.map(call, events))
    assert list_states(config) == []


def test_blocks_are_recorded(prepare: Prepare, config: Path) -> None:
    call = prepare({"github-pr": PULL_REQUEST, "api": GITHUB_API}, record_blocks=True)
    call(fetch_event(URL))
    call(fetch_event("https://a.b"))
    call(bash_event("curl https://api.github.com/users"))
    record = config / "hooks" / "tool_routing-blocks.tsv"
    assert record.stat().st_mode & 0o777 == 0o600
    rows = [line.split("\t") for line in record.read_text().splitlines()]
    assert [row[1:] for row in rows] == [["github-pr", "WebFetch"], ["api", "Bash"]]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row[0]) for row in rows)


def test_record_size_is_bounded(prepare: Prepare, config: Path) -> None:
    call = prepare({"github-pr": PULL_REQUEST}, record_blocks=True)
    record = config / "hooks" / "tool_routing-blocks.tsv"
    record.parent.mkdir()
    record.write_text("x" * 499_990)
    for _ in range(2):
        assert call(fetch_event(URL)).denied
    assert len(record.read_text().splitlines()) == 1
    assert record.with_name("tool_routing-blocks.tsv.old").stat().st_size > 500_000


def test_record_contains_every_concurrent_block(prepare: Prepare, config: Path) -> None:
    call = prepare({"github-pr": PULL_REQUEST}, record_blocks=True)
    with ThreadPoolExecutor(50) as pool:
        assert all(answer.denied for answer in pool.map(call, [fetch_event(URL)] * 50))
    record = config / "hooks" / "tool_routing-blocks.tsv"
    assert len(record.read_text().splitlines()) == 50


@pytest.mark.parametrize("plant", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/etc/x")])
def test_planted_record_does_not_affect_denials(
    prepare: Prepare, config: Path, plant: Callable[[Path], object]
) -> None:
    call = prepare({"github-pr": PULL_REQUEST}, record_blocks=True)
    (config / "hooks").mkdir()
    plant(config / "hooks" / "tool_routing-blocks.tsv")
    answer = call(fetch_event(URL))
    assert (answer.reason, answer.stderr) == (MESSAGE, f"{MESSAGE}\n")


@pytest.mark.parametrize("answers", [{"routes": ROUTES}, {"fatigue_limit": 3}])
def test_call_goes_through_if_memory_is_unwritable(
    prepare: Prepare, tmp_path: Path, answers: dict[str, Any]
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file in the place of the folder")
    call = prepare(**{"routes": {"github-pr": PULL_REQUEST}, **answers})
    assert call(fetch_event(URL), blocked).silent


@pytest.mark.parametrize(
    ("answers", "blocked"),
    [({"routes": ROUTES}, False), ({"fatigue_limit": 3}, False), ({"record_blocks": True}, True)],
)
def test_nothing_is_written_without_a_home(
    prepare: Prepare,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: dict[str, Any],
    *,
    blocked: bool,
) -> None:
    call = prepare(**{"routes": {"github-pr": PULL_REQUEST}, **answers})
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert call(fetch_event(URL), Path("relative")).denied is blocked
    assert list(folder.iterdir()) == []


def test_call_goes_through_if_its_denial_cannot_be_stored(
    render_routes: Callable[..., Path], config: Path
) -> None:
    hook = render_routes(routes=ROUTES, record_blocks=True)
    completed = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -f 0; exec "{sys.executable}" -I -S "{hook}"'],
        input=json.dumps(fetch_event(URL)).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, b"", b"")
    assert run_hook(hook, fetch_event(URL), config).denied
