"""Candidates come from transcripts, and only approved ones become lessons."""

import json
import os
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.transcripts import write_transcript

SAID = ("user", "Remember: the staging database is read-only on Fridays.")


@pytest.fixture
def identity(tmp_path: Path, command_line: CommandLine) -> str:
    transcript = write_transcript(tmp_path / "s1.jsonl", SAID)
    assert command_line.tell("capture", str(transcript)) == (
        "1 new candidate in 1 session, 1 waiting\nsee them: lesson-search inbox\n"
    )
    [item] = json.loads(command_line.tell("inbox", "--json"))
    return str(item["id"])


def test_transcripts_of_the_last_days(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    write_transcript(tmp_path / "projects" / "-work-app" / "s1.jsonl", SAID)
    (tmp_path / "projects" / "-work-app" / "s2.jsonl").symlink_to("s1.jsonl")
    write_transcript(tmp_path / "projects" / "-work-app" / "s1" / "subagents" / "a.jsonl", SAID)
    found = json.loads(command_line.tell("capture", "--json"))
    assert found == {"sessions": 1, "new": 1, "waiting": 1}
    assert json.loads(command_line.tell("capture", "--json"))["new"] == 0


def test_approved_candidate_is_a_lesson(command_line: CommandLine, identity: str) -> None:
    assert command_line.tell("export") == ""
    shown = command_line.tell("inbox", "show", identity)
    assert "session s1:" in shown
    command_line.tell("inbox", "approve", identity, "--category", "data/databases")
    [lesson] = map(json.loads, command_line.tell("export").splitlines())
    assert lesson["text"] == "The staging database is read-only on Fridays."
    assert lesson["source_file"] == "session:s1"
    assert json.loads(command_line.tell("inbox", "--json")) == []


@pytest.mark.parametrize("verb", ["drop", "never"])
def test_dropped_candidate_stays_away(
    command_line: CommandLine, identity: str, verb: str, tmp_path: Path
) -> None:
    assert command_line.tell("inbox", verb, identity) == "dropped 1 candidate\n"
    assert command_line.tell("capture", str(tmp_path / "s1.jsonl")).startswith("nothing new")
    assert command_line.tell("export") == ""


def test_hostile_transcripts(command_line: CommandLine, tmp_path: Path) -> None:
    rule = json.dumps({"type": "user", "message": {"content": SAID[1]}})
    lines = ["{", "[" * 100_000, "\0", '{"type": "user"}', '{"type": "user", "message": 5}', rule]
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join([*lines, json.dumps({"type": "user", "x": "y" * 2_000_000}), rule]))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = json.loads(command_line.tell("capture", str(path), str(pipe), "--json"))
    assert found["new"] == 1
