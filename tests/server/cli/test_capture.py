"""Candidates are extracted from transcripts, and only approved ones become lessons."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from lesson_search.capture.rules import find_candidates
from lesson_search.capture.transcripts import read_sessions

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.transcripts import write_transcript

LONG = 10  # seconds; a quadratic algorithm would take a minute
SAID = ("user", "Remember: the staging database is read-only on Fridays.")


@pytest.fixture
def identity(tmp_path: Path, command_line: CommandLine) -> str:
    transcript = write_transcript(tmp_path / "s1.jsonl", SAID)
    assert command_line.output("capture", str(transcript)) == (
        "1 new candidate in 1 session, 1 waiting\nsee them: lesson-search inbox\n"
    )
    [item] = json.loads(command_line.output("inbox", "--json"))
    return str(item["id"])


def test_recent_transcripts_are_read(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    write_transcript(tmp_path / "projects" / "-work-app" / "s1.jsonl", SAID)
    (tmp_path / "projects" / "-work-app" / "s2.jsonl").symlink_to("s1.jsonl")
    write_transcript(tmp_path / "projects" / "-work-app" / "s1" / "subagents" / "a.jsonl", SAID)
    summary = json.loads(command_line.output("capture", "--json"))
    assert summary == {"sessions": 1, "new": 1, "waiting": 1}
    assert json.loads(command_line.output("capture", "--json"))["new"] == 0


def test_overlong_working_directory_is_ignored(tmp_path: Path) -> None:
    long = write_transcript(tmp_path / "s1.jsonl", SAID, folder="/x" * 100_000)
    rest = write_transcript(tmp_path / "s2.jsonl", SAID, folder="/work")
    long.write_bytes(long.read_bytes() + rest.read_bytes())
    assert [session.folder for session in read_sessions(long)] == ["/work"]


def test_approved_candidate_becomes_a_lesson(command_line: CommandLine, identity: str) -> None:
    assert command_line.output("export") == ""
    shown = command_line.output("inbox", "show", identity)
    assert "session s1:" in shown
    approved = command_line.output("inbox", "approve", identity, "--category", "data/databases")
    [lesson] = map(json.loads, command_line.output("export").splitlines())
    undo = f"to undo it: lesson-search inbox undo {identity}, and lesson-search delete"
    assert approved.endswith(f"{undo} {lesson['id']}\n")
    assert lesson["text"] == "The staging database is read-only on Fridays."
    assert lesson["source_file"] == "session:s1"
    assert json.loads(command_line.output("inbox", "--json")) == []


def test_approved_lesson_keeps_its_session_project(
    command_line: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    config = '[remote "origin"]\nurl = https://me:s3cret@h.example/shop.git'
    (tmp_path / "shop" / ".git" / "config").write_text(config)
    transcript = write_transcript(tmp_path / "s1.jsonl", SAID, folder=str(tmp_path / "shop"))
    command_line.output("capture", str(transcript))
    [item] = json.loads(command_line.output("inbox", "--json"))
    assert "project: h.example/shop\n" in command_line.output("inbox", "approve", item["id"])
    [lesson] = map(json.loads, command_line.output("export").splitlines())
    assert (lesson["project"], lesson["source_file"]) == ("h.example/shop", "session:s1")


@pytest.mark.parametrize(
    ("verb", "told"),
    [("drop", "dropped 1 candidate"), ("never", "1 candidate will not be proposed again")],
)
def test_dropped_candidate_does_not_return(
    command_line: CommandLine, identity: str, verb: str, told: str, tmp_path: Path
) -> None:
    output = f"{told}\nto undo it: lesson-search inbox undo {identity}\n"
    assert command_line.output("inbox", verb, identity) == output
    assert command_line.output("capture", str(tmp_path / "s1.jsonl")).startswith("nothing new")
    assert command_line.output("export") == ""
    undone = command_line.run("inbox", "undo", identity)
    assert (undone.output, undone.errors) == ("restored 1 candidate\n", "")
    assert identity in command_line.output("inbox")
    command_line.output("inbox", verb, identity)
    assert command_line.output("capture", str(tmp_path / "s1.jsonl")).startswith("nothing new")
    assert "no recent decision on 'x'" in command_line.error("inbox", "undo", "x")


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
KEY = f"{'-' * 5}BEGIN OPENSSH PRIVATE KEY{'-' * 5}\n" + f"{'b3Blb' * 14}\n" * 3


@pytest.mark.parametrize(
    "steps",
    [
        [("user", f"Remember: {TOKEN} is our deploy credential")],
        [("user", f"Remember: {'x ' * 9_990}{TOKEN}{TOKEN} is it")],
        [("user", f"Remember: https://ci.example/?a={TOKEN}&b={TOKEN} is where we deploy")],
        [
            ("run", ("ls", "x")),
            ("user", f"No, we use this key instead, because ops only allow it:\n{KEY}"),
        ],
        [("fail", (f"deploy {TOKEN}", f"Error:\n{KEY}")), ("run", (f"x=1 deploy {TOKEN}", ""))],
    ],
)
def test_no_part_of_a_secret_is_stored(
    command_line: CommandLine, tmp_path: Path, steps: list[Any]
) -> None:
    path = write_transcript(tmp_path / f"s{TOKEN}\x1b[1m.jsonl", *steps)
    command_line.output("capture", str(path), "--json")
    stored = (command_line.folder / "inbox.json").read_text() if steps else ""
    assert "ghp_a1" not in stored.casefold()
    assert "b3blb" not in stored.casefold()
    assert "\\u001b" not in stored


def test_long_prompts_are_read_in_linear_time(tmp_path: Path) -> None:
    """A backtracking pattern would restart at each character of these texts."""
    steps = [
        step
        for text in ("a" * 20_000, "\u201c" * 20_000, "a_" * 10_000, "`" * 20_000, "- " * 10_000)
        for step in (("run", ("ls", "x")), ("user", f"no, {text}"))
    ]
    sessions = [*read_sessions(write_transcript(tmp_path / "s.jsonl", *steps))]
    began = time.process_time()
    list(find_candidates(sessions))
    assert time.process_time() - began < LONG


def test_hostile_transcripts_are_parsed(command_line: CommandLine, tmp_path: Path) -> None:
    rule = json.dumps({"type": "user", "message": {"content": SAID[1]}})
    lines = ["{", "[" * 100_000, "\0", '{"type": "user"}', '{"type": "user", "message": 5}', rule]
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join([*lines, json.dumps({"type": "user", "x": "y" * 2_000_000}), rule]))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    summary = json.loads(command_line.output("capture", str(path), str(pipe), "--json"))
    assert summary["new"] == 1


def test_files_without_a_session_are_refused(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text("# Notes\n")
    completed = command_line.run("capture", "notes.md", "none.jsonl")
    assert (completed.code, completed.errors.splitlines()) == (
        1,
        [
            "lesson-search: none.jsonl: No such file or directory (left out)",
            "lesson-search: no session in notes.md, none.jsonl: name a client's transcript",
        ],
    )
    transcript = write_transcript(tmp_path / "s1.jsonl", SAID)
    summary = json.loads(command_line.output("capture", "notes.md", transcript, "--json"))
    assert summary["sessions"] == 1


def test_candidate_can_be_edited_before_its_approval(
    command_line: CommandLine, identity: str, choose_editor: ChooseEditor
) -> None:
    choose_editor("Fridays", "Mondays")
    assert command_line.output("inbox", "edit", identity).startswith("added: ")
    [lesson] = json.loads(command_line.output("list", "--json"))
    assert lesson["text"] == "The staging database is read-only on Mondays."


def test_empty_inbox_and_unknown_age_are_reported(command_line: CommandLine) -> None:
    assert "the inbox is empty" in command_line.run("inbox").errors
    assert "12h, 7d, 2w" in command_line.error("capture", "--since", "soon", code=2)


def test_help_lists_what_the_inbox_can_do(command_line: CommandLine) -> None:
    output = command_line.output("inbox", "--help")
    assert [
        verb for verb in ("show", "approve", "edit", "drop", "never", "undo") if verb not in output
    ] == []
    assert "list|show|approve|edit|drop|never|undo" in "".join(output.split())
