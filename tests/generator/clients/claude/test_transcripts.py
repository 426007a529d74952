"""Transcripts may have any content: reading them never fails or writes a file."""

import json
import os
import shutil
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookwright.clients.claude.transcripts
import hookwright.simulate.batch
from hookwright.clients.claude.transcripts import find_transcripts
from hookwright.simulate.batch import Call, write_event

from ....support.command_line import CommandLine
from ....support.hypothesis_profiles import examples
from ....support.installer import pretend_installed, snapshot

SETTINGS = settings(max_examples=examples(300))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def spoil(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(usual, usual, usual, JSON)


BLOCKS = st.fixed_dictionaries(
    {"type": spoil(st.just("tool_use"))},
    optional={
        "id": spoil(st.text(max_size=3)),
        "name": spoil(st.sampled_from(["WebSearch", "WebFetch", "Bash"])),
        "input": spoil(st.dictionaries(st.sampled_from(["query", "url", "command"]), JSON)),
    },
)
MESSAGES = st.fixed_dictionaries({"content": spoil(st.lists(spoil(BLOCKS), max_size=4))})
RECORDS = st.fixed_dictionaries({"type": spoil(st.just("assistant")), "message": spoil(MESSAGES)})
LINES = st.one_of(
    st.binary(max_size=80),
    spoil(RECORDS).map(lambda record: json.dumps(record).encode()),
    spoil(RECORDS).map(lambda record: json.dumps(record).encode()[:-7]),
)


def use(tool: str, given: object, identity: object = "toolu_1", **fields: object) -> bytes:
    block = {"type": "tool_use", "id": identity, "name": tool, "input": given}
    message = {"role": "assistant", "content": [{"type": "text", "text": "So:"}, block]}
    return json.dumps({"type": "assistant", "message": message, **fields}).encode() + b"\n"


def write(config: Path, lines: bytes, name: str = "work/session.jsonl") -> Path:
    path = config / "projects" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines)
    return path


def read_calls(config: Path) -> list[Call]:
    transcripts = find_transcripts(config)
    wanted = {"WebSearch", "WebFetch", "Bash"}
    return list(starmap(Call, transcripts.read_calls(wanted.__contains__, noop)))


def noop(_done: int, _total: int) -> None:
    """Show no progress."""


@SETTINGS
@given(st.lists(LINES, max_size=6))
def test_any_transcript_is_parsed(config: Path, lines: list[bytes]) -> None:
    write(config, b"\n".join(lines))
    before = snapshot(config)
    for call in read_calls(config):
        assert json.loads(write_event(call))["tool_name"] == call.tool
        assert isinstance(call.text, str)
    assert snapshot(config) == before


def test_call_is_counted_once(config: Path) -> None:
    search = {"query": "gitlab"}
    again = use("WebSearch", search)
    write(config, again + again + use("WebSearch", search, "toolu_2"))
    write(config, again + use("Bash", {"command": "ls"}, "toolu_3"), "work/resumed.jsonl")
    write(
        config, use("WebFetch", {}, "toolu_4", isSidechain=True), "work/s/subagents/agent-1.jsonl"
    )
    calls = sorted(call.tool for call in read_calls(config))
    assert calls == ["Bash", "WebFetch", "WebSearch", "WebSearch"]


def test_only_agent_calls_are_counted(config: Path) -> None:
    line = use("Bash", {"command": "ls"})
    quoted = json.dumps({"type": "user", "message": json.loads(line)["message"]}).encode()
    request = json.dumps({"type": "api-request-blob", **json.loads(quoted)}).encode()
    write(config, quoted + b"\n" + request.replace(b'"user"', b'"api-request-blob"') + b"\n")
    assert read_calls(config) == []


def test_overlong_lines_are_skipped(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hookwright.clients.claude.transcripts, "MAX_LINE", 1000)
    huge = use("Bash", {"command": "x" * 5000}, "toolu_2")
    exact = use("Bash", {"command": ""}, "toolu_3")
    exact = use("Bash", {"command": "y" * (1000 - len(exact))}, "toolu_3")
    last = use("WebFetch", {}, "toolu_4").strip()
    write(config, use("WebSearch", {}) + huge + exact + last)
    assert [call.tool for call in read_calls(config)] == ["WebSearch", "Bash", "WebFetch"]


def test_only_regular_files_are_read(config: Path) -> None:
    path = write(config, use("Bash", {"command": "ls"}))
    path.with_name("folder.jsonl").mkdir()
    path.with_name("link.jsonl").symlink_to("nowhere")
    os.mkfifo(path.with_name("pipe.jsonl"))
    assert len(read_calls(config)) == 1


def test_survey_of_transcripts_writes_nothing(
    hookwright_line: CommandLine, both: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    deep = b'{"type": "tool_use", "x":' + b"[" * 100_000 + b"\n"
    calls = [
        use("WebSearch", {"query": "gitlab [red]\x1b[31m"}),
        use("WebSearch", {"query": 5}, "toolu_2"),
        use("WebFetch", {"url": ["https://linear.app/x/issue/1"]}, "toolu_3"),
        use("Bash", {"command": "\ud800 k8s"}, "toolu_4"),
        use("Read", {"file_path": "/gitlab"}, "toolu_5"),
    ]
    write(config, deep + b"\xff\x00\n" + b"".join(calls) + b'{"tool_use"')
    before = snapshot(config)
    words = ("try", "--corpus", "transcripts", "--project", both)
    output = json.loads(hookwright_line.output(*words, "--json"))
    assert output["tools"] == {"WebSearch": 2, "WebFetch": 1, "Bash": 1}
    assert output["does"]["deny"] >= 1
    assert "  gitlab [red]\\u001b[31m\n" in hookwright_line.output(*words)
    assert snapshot(config) == before


def test_client_without_transcripts_is_reported(
    hookwright_line: CommandLine, both: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    words = ("try", "--corpus", "transcripts", "--project", both)
    assert "the transcripts hold no calls: set CLAUDE_CONFIG_DIR" in hookwright_line.error(*words)
    write(config, b"{}\n")
    assert "the transcripts hold no calls" in hookwright_line.error(*words)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("while True: pass", "take more than 1 seconds, on 1 call: "),
        ("__import__('os')._exit(3)", "the hooks crash, or take more than"),
        ("raise SystemExit", "the hooks crash, or take more than"),
        ("print('noise'); print('{}'); return None", ""),
    ],
)
def test_unresponsive_hook_is_reported_in_one_line(
    hookwright_line: CommandLine,
    both: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    why: str,
) -> None:
    project = Path(shutil.copytree(both, hookwright_line.folder / "copied"))
    path = project / "hooks" / "docsearch.py"
    path.write_text(f"def decide(raw, trace):\n    {code}\n")
    pretend_installed(project)
    if code.startswith("while"):
        monkeypatch.setattr(hookwright.simulate.batch, "PATIENCE", 1)
    corpus = hookwright_line.folder / "corpus"
    corpus.write_text("gitlab\n")
    words = ("try", "--corpus", corpus, "--project", project)
    if why:
        assert why in hookwright_line.error(*words)
    else:
        assert "1 let through" in hookwright_line.output(*words)


@pytest.mark.parametrize("code", ["raise SystemExit", "raise KeyboardInterrupt", "1 / 0", "{"])
def test_unrunnable_hook_is_reported_in_one_line(
    hookwright_line: CommandLine, both: Path, code: str
) -> None:
    project = Path(shutil.copytree(both, hookwright_line.folder / "copied"))
    (project / "hooks" / "docsearch.py").write_text(code)
    pretend_installed(project)
    corpus = hookwright_line.folder / "corpus"
    corpus.write_text("gitlab\n")
    line = hookwright_line.error("try", "--corpus", corpus, "--project", project)
    assert "cannot run " in line
    assert line.endswith(": restore it from git")
