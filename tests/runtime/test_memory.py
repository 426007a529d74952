"""A denied search is remembered, so that one retry goes through."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runtime.memory import forget_expired, name_memory

from ..support.hypothesis_profiles import mark_long
from ..support.project import Answer, run_hook, search_event

Search = Callable[..., Answer]


@pytest.fixture
def search(hook: Path, config: Path) -> Search:
    def run(query: object = "gitlab runners", **fields: object) -> Answer:
        return run_hook(hook, search_event(query, **fields), config)

    return run


def memories(config: Path) -> list[Path]:
    return sorted((config / "hooks").glob("docsearch-state-*"))


def test_retry_goes_through_once(search: Search, config: Path) -> None:
    assert search().denied
    assert search().silent
    assert memories(config) == []
    assert search().denied


def test_memory_is_private_and_has_the_documented_format(search: Search, config: Path) -> None:
    search("gitlab", session_id="abc-123", allowed_domains=["b.com", "a.com"])
    [memory] = memories(config)
    assert memory.name.startswith("docsearch-state-abc_123-")
    assert memory.stat().st_mode & 0o777 == 0o600
    denied = json.loads(memory.read_text())["last_denied"]
    assert abs(denied.pop("timestamp") - time.time()) < 60
    assert denied == {
        "query": "gitlab",
        "allowed_domains": ["a.com", "b.com"],
        "blocked_domains": [],
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"allowed_domains": ["a.com", "b.com"]}, {"allowed_domains": ["b.com", "a.com", "a.com"]}),
        ({}, {"allowed_domains": []}),
        ({"blocked_domains": None}, {}),
        ({}, {"cwd": "/elsewhere", "tool_use_id": "toolu_02"}),
    ],
)
def test_identical_searches_are_recognised(
    search: Search, first: dict[str, object], second: dict[str, object]
) -> None:
    assert search(**first).denied
    assert search(**second).silent


@pytest.mark.parametrize(
    "other",
    [
        {"query": "gitlab Runners"},
        {"query": "gitlab runners "},
        {"allowed_domains": ["a.com"]},
        {"blocked_domains": ["a.com"]},
        {"session_id": "another"},
        {"agent_id": "subagent"},
    ],
)
def test_different_searches_are_distinguished(search: Search, other: dict[str, object]) -> None:
    assert search().denied
    assert search(**other).denied
    assert search(**other).silent
    assert search().silent


def test_two_copies_of_the_hook_remember_separately(
    hook: Path, config: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "docsearch.py"
    copy.write_bytes(hook.read_bytes())
    for denied in (True, False):
        for script in (hook, copy):
            assert run_hook(script, search_event("gitlab"), config).denied is denied


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("docsearch.py", "docsearch-state-a_b-"),
        ("docsearch-a.py", "docsearch-state-a-a_b-"),
        ("docsearch-a-b2.py", "docsearch-state-a-b2-a_b-"),
    ],
)
def test_memory_is_named_after_the_copy(
    hook: Path, config: Path, tmp_path: Path, name: str, start: str
) -> None:
    copy = tmp_path / "x-y" / name
    copy.parent.mkdir()
    copy.write_bytes(hook.read_bytes())
    event = search_event("gitlab", session_id="a-b")
    assert run_hook(copy, event, config).denied
    [memory] = memories(config)
    assert memory.name.startswith(start)
    assert memory.name.count("-") == start.count("-")
    assert run_hook(copy, event, config).silent


def test_denial_expires(search: Search, config: Path) -> None:
    search()
    [memory] = memories(config)
    state = json.loads(memory.read_text())
    state["last_denied"]["timestamp"] -= 302
    memory.write_text(json.dumps(state))
    assert search().denied
    assert search().silent


def test_retry_goes_through_after_the_clock_was_set_back(search: Search, config: Path) -> None:
    search()
    [memory] = memories(config)
    state = json.loads(memory.read_text())
    state["last_denied"]["timestamp"] += 3600
    memory.write_text(json.dumps(state))
    assert search().silent


def test_memory_lasts_the_whole_window(search: Search, config: Path) -> None:
    search()
    [memory] = memories(config)
    state = json.loads(memory.read_text())
    state["last_denied"]["timestamp"] = int(time.time()) - 299
    memory.write_text(json.dumps(state))
    assert search().silent


@pytest.mark.parametrize("age", [302, -302])
def test_expired_files_are_removed_along_the_way(search: Search, config: Path, age: int) -> None:
    search("gitlab one", session_id="earlier")
    search("gitlab two", session_id="later")
    expired, live = memories(config)
    other = config / "hooks" / "other.json"
    other.write_text("{}")
    for path in (expired, other):
        os.utime(path, (time.time() - age, time.time() - age))
    search("gitlab three", session_id="now")
    assert not expired.exists()
    assert live.exists()
    assert other.exists()


@pytest.mark.parametrize(
    ("hook", "end", "suffix"),
    [("docsearch", r"\.json", ".json"), ("tool_routing-blocks", "", "")],
)
@pytest.mark.parametrize("session", ["abc-123", None, "", "ж/٣ é", "x" * 99])
def test_memory_files_expire(
    tmp_path: Path, hook: str, end: str, suffix: str, session: object
) -> None:
    path = tmp_path / (name_memory(hook, {"session_id": session}, {"query": "q"}) + suffix)
    path.write_text("{}")
    os.utime(path, (0, 0))
    forget_expired(str(tmp_path), hook, 300, end)
    assert not path.exists()


@pytest.mark.parametrize(
    "name",
    [
        "docsearch-state-notes.md",
        "docsearch-state-notes-0123456789abcdef.md",
        "docsearch-state-notes-0123456789abcdef",
        "docsearch-state-notes-0123456789abcdefg.json",
        "docsearch-state-notes-0123456789ABCDEF.json",
        "docsearch-state-my notes-0123456789abcdef.json",
        "my-docsearch-state-notes-0123456789abcdef.json",
        "docsearch-blocks-state-notes-0123456789abcdef",
    ],
)
def test_files_of_others_are_kept(search: Search, config: Path, name: str) -> None:
    note = config / "hooks" / name
    note.parent.mkdir()
    note.write_text("mine")
    os.utime(note, (0, 0))
    assert search().denied
    assert note.read_text() == "mine"


def test_only_regular_files_expire(tmp_path: Path) -> None:
    paths = [tmp_path / f"docsearch-state-a-{number:016x}.json" for number in range(3)]
    paths[0].symlink_to(tmp_path / "gone")
    paths[1].mkdir()
    os.mkfifo(paths[2])
    for path in paths:
        os.utime(path, (0, 0), follow_symlinks=False)
    forget_expired(str(tmp_path), "docsearch", 300)
    assert sorted(tmp_path.iterdir()) == paths


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_session_start_removes_expired_files(
    search: Search, hook: Path, config: Path, source: str
) -> None:
    search("gitlab one", session_id="earlier")
    search("gitlab two", session_id="later")
    expired, live = memories(config)
    os.utime(expired, (time.time() - 302, time.time() - 302))
    event = {"session_id": "new", "hook_event_name": "SessionStart", "source": source}
    assert run_hook(hook, event, config).silent
    assert memories(config) == [live]


def test_session_start_creates_nothing(hook: Path, config: Path) -> None:
    event = {"session_id": "new", "hook_event_name": "SessionStart", "source": "startup"}
    assert run_hook(hook, event, config).silent
    assert list(config.iterdir()) == []


def test_a_thousand_sessions_leave_only_live_files(search: Search, config: Path) -> None:
    (config / "hooks").mkdir()
    for number in range(1000):
        path = config / "hooks" / f"docsearch-state-session{number}-0123456789abcdef.json"
        path.write_text("{}")
        age = 3600 if number < 990 else 0
        os.utime(path, (time.time() - age, time.time() - age))
    search()
    assert len(memories(config)) == 11


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "null",
        "[]",
        '{"last_denied": 5}',
        '{"last_denied": {}}',
        '{"last_denied": {"timestamp": "now"}}',
        '{"last_denied": {"timestamp": NaN}}',
        "[" * 100_000,
        "\x00\xff",
    ],
)
def test_corrupt_memory_is_ignored(search: Search, config: Path, content: str) -> None:
    search()
    [memory] = memories(config)
    memory.write_text(content, encoding="latin-1")
    assert search().denied
    assert search().silent


@pytest.mark.parametrize(
    "query", ["gitlab", "gitlab " + "x" * 10_000, "gitlab " + "\u6f22" * 10_000]
)
def test_overlong_memory_is_corrupt(search: Search, config: Path, query: str) -> None:
    search(query)
    [memory] = memories(config)
    state = json.loads(memory.read_text())
    memory.write_text(json.dumps({"padding": "x" * 200, **state}))
    assert search(query).denied
    assert search(query).silent


def test_planted_link_is_not_followed(search: Search, config: Path, tmp_path: Path) -> None:
    search()
    [memory] = memories(config)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    memory.unlink()
    memory.symlink_to(victim)
    assert search().denied
    assert victim.read_text() == "precious"
    assert not memory.is_symlink()


def test_planted_pipe_does_not_block(search: Search, config: Path) -> None:
    search()
    [memory] = memories(config)
    memory.unlink()
    os.mkfifo(memory)
    assert search().denied


def test_search_goes_through_if_memory_is_unwritable(hook: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file in the place of the folder")
    assert run_hook(hook, search_event("gitlab"), blocked).silent


@pytest.mark.parametrize("variables", [{"HOME": "x"}, {"CLAUDE_CONFIG_DIR": "x/claude"}], ids=str)
def test_missing_home_is_not_created(hook: Path, tmp_path: Path, variables: dict[str, str]) -> None:
    places = {name: str(tmp_path / "missing" / place) for name, place in variables.items()}
    environment = {"CLAUDE_CONFIG_DIR": "", **places}
    assert run_hook(hook, search_event("gitlab"), Path(), **environment).silent
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("name", ["claude", "claude/"])
def test_missing_config_folder_is_created(hook: Path, tmp_path: Path, name: str) -> None:
    environment = {"CLAUDE_CONFIG_DIR": f"{tmp_path}/{name}"}
    assert run_hook(hook, search_event("gitlab"), Path(), **environment).denied
    assert memories(tmp_path / "claude") != []


def test_search_goes_through_if_its_denial_cannot_be_stored(hook: Path, config: Path) -> None:
    event = json.dumps(search_event("gitlab")).encode()
    completed = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -f 0; exec "{sys.executable}" -I -S "{hook}"'],
        input=event,
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, b"", b"")
    assert run_hook(hook, event, config).denied
    assert run_hook(hook, event, config).silent


def test_folder_at_the_memory_path_is_handled(search: Search, config: Path) -> None:
    search()
    [memory] = memories(config)
    memory.unlink()
    memory.mkdir()
    assert search().silent


def test_config_folder_defaults_to_home(hook: Path, tmp_path: Path) -> None:
    event = search_event("gitlab")
    assert run_hook(hook, event, Path(), CLAUDE_CONFIG_DIR="", HOME=str(tmp_path)).denied
    assert memories(tmp_path / ".claude") != []


@pytest.mark.parametrize("number", [12, *mark_long([100])])
def test_concurrent_searches_are_remembered(search: Search, config: Path, number: int) -> None:
    queries = [f"gitlab {index}" for index in range(number)]
    with ThreadPoolExecutor(number) as pool:
        assert all(answer.denied for answer in pool.map(search, queries))
        assert len(memories(config)) == len(queries)
        assert all(answer.silent for answer in pool.map(search, queries))
    assert memories(config) == []


def test_one_denial_allows_one_retry(search: Search) -> None:
    for _ in range(5):
        barrier = threading.Barrier(2)

        def retry(_: int, barrier: threading.Barrier = barrier) -> Answer:
            barrier.wait()
            return search("gitlab twice")

        assert search("gitlab twice").denied
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(retry, range(2)))
        assert sum(answer.silent for answer in answers) == 1
        assert search("gitlab twice").silent
