"""No input on stdin breaks the hook or makes it write outside its files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..support.hypothesis_profiles import examples
from ..support.project import run_hook, search_event


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"null",
        b"gitlab",
        b'{"tool_input": {"query": "gitlab"}}',
        b"\xff\xfe\x00",
        b'{"hook_event_name": "PreToolUse", "tool_name": "WebSearch", "tool_input": "gitlab"}',
        b"[" * 200_000 + b'"query": "gitlab"',
        search_event("gitlab", tool_name="WebFetch"),
        search_event("gitlab", tool_name=["WebSearch"]),
        search_event("gitlab", hook_event_name="PostToolUse"),
        search_event(None),
        search_event(["gitlab"]),
        search_event({"gitlab": 1}),
        search_event("gitlab", allowed_domains=[{}]),
        search_event("gitlab", allowed_domains=5),
        search_event("gitlab", tool_input={"prompt": "gitlab"}),
    ],
)
def test_unrelated_events_go_through(hook: Path, config: Path, event: object) -> None:
    assert run_hook(hook, event, config).silent
    assert list(config.iterdir()) == []


@pytest.mark.parametrize(
    "session",
    [
        "../../x",
        "/etc/passwd",
        "x" * 10_000,
        "a\0b",
        "",
        None,
        5,
        ["a"],
        "🦊" * 99,
        "\ud800",
        "con",
        ".",
    ],
)
def test_session_may_have_any_name(hook: Path, config: Path, session: object) -> None:
    event = search_event("gitlab", session_id=session, agent_id=session)
    raw = json.dumps(event).encode()
    assert run_hook(hook, raw, config).denied
    written = [path for path in config.rglob("*") if path.is_file()]
    assert [path.parent for path in written] == [config / "hooks"]
    assert run_hook(hook, raw, config).silent


def test_event_without_a_session_is_denied_once(hook: Path, config: Path) -> None:
    event = search_event("gitlab")
    del event["session_id"]
    assert run_hook(hook, event, config).denied
    assert run_hook(hook, event, config).silent


@pytest.mark.parametrize("query", ["gitlab " * 1_500_000, '"\\' * 3_000_000])
def test_ten_megabytes_are_searched(hook: Path, config: Path, query: str) -> None:
    answer = run_hook(hook, search_event(query), config)
    assert answer.denied if "gitlab" in query else answer.silent


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_cause_no_traceback(
    hook: Path, config: Path, tmp_path: Path, closed: str
) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(search_event("gitlab")))
    command = f'"{sys.executable}" -I -S "{hook}" < "{event}" {closed}'
    completed = subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )
    assert completed.returncode in {0, 2}
    assert b"Traceback" not in completed.stderr
    if closed == "2>&-":
        assert json.loads(completed.stdout)  # stderr is closed, so the answer is on stdout


@pytest.mark.parametrize("event", [b"junk", json.dumps(search_event("gitlab")).encode()])
def test_full_streams_cause_no_error(hook: Path, config: Path, event: bytes) -> None:
    completed = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -I -S "{hook}" > /dev/full 2>&1'],
        input=event,
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config), "HOOKWRIGHT_DEBUG": "1"},
    )
    assert (completed.returncode, completed.stderr) == (0, b"")


def test_closed_reader_is_handled(hook: Path, config: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    completed = subprocess.run(
        [sys.executable, "-I", "-S", str(hook)],
        input=json.dumps(search_event("gitlab")).encode(),
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )
    os.close(writer)
    assert (completed.returncode, completed.stderr) == (0, b"")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
EVENTS = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda fields: json.dumps(fields).encode(),
        st.fixed_dictionaries(
            {},
            optional={
                "session_id": JSON,
                "agent_id": JSON,
                "hook_event_name": st.just("PreToolUse") | JSON,
                "tool_name": st.just("WebSearch") | JSON,
                "tool_input": JSON
                | st.fixed_dictionaries(
                    {"query": st.sampled_from(["gitlab", "gl \u00e9", "k8s\n"]) | JSON},
                    optional={"allowed_domains": JSON, "blocked_domains": JSON},
                ),
            },
        ),
    ),
)


@settings(max_examples=examples(150))
@given(event=EVENTS)
def test_any_bytes_are_denied_or_go_through(hook: Path, config: Path, event: bytes) -> None:
    answer = run_hook(hook, event, config)
    assert answer.silent or answer.denied
