"""Lessons that need a decision are listed, and a single key decides each."""

import json
import os
import sys
from pathlib import Path

import pexpect
import pytest

import lesson_search.cli.main

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.lesson_server_process import LessonServer

COPIES = "The docker build cache is lost when {} comes first.", "Never edit {} by hand."


@pytest.fixture
def filled(command_line: CommandLine) -> CommandLine:
    return fill(command_line)


@pytest.fixture
def served_line(
    served: LessonServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """Return a command line that asks a server, which starts faster than one with a store."""
    words = ("lesson-search", "--data", str(served.folder))
    return fill(CommandLine(served.folder, lesson_search.cli.main.run, words, monkeypatch, capsys))


def fill(line: CommandLine) -> CommandLine:
    rows = [
        {"id": f"{name}-{number}", "text": text.format("a COPY" if number else "COPY")}
        for name, text in zip("ab", COPIES, strict=True)
        for number in range(2)
    ]
    lines = "".join(f"{json.dumps({**row, 'categories': ['a']})}\n" for row in rows)
    line.output("ingest", "-", given=lines.encode())
    return line


def test_lessons_are_listed_without_a_terminal(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\nurl = git@h.example:shop')
    monkeypatch.chdir(tmp_path)
    filled.output("add", "Run `old.sh` first.", "--project", ".")
    output = filled.output("review")
    assert "a-0, a-1" in output
    assert "not in h.example/shop: old.sh" in output
    findings = json.loads(filled.output("review", "--json"))
    assert [finding["kind"] for finding in findings] == ["duplicate", "duplicate", "outdated"]
    assert findings[2]["lessons"][0]["text"] == "Run `old.sh` first."


def test_review_outside_a_repository_lists_the_servers_findings(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "a-0, a-1" in filled.output("review")


def test_keys_decide_lessons(served_line: CommandLine, choose_editor: ChooseEditor) -> None:
    choose_editor("Never", "Please never")
    terminal = review_in_terminal(served_line)
    terminal.expect_exact("[q]uit: ")
    assert "\\n" not in str(terminal.before)
    terminal.send("?")
    terminal.send("k")
    terminal.expect_exact("[q]uit: ")
    terminal.send("m")
    terminal.expect_exact("2 of 2 decided")
    terminal.expect(pexpect.EOF)
    assert terminal.wait() == 0
    assert served_line.run("review").errors.endswith("nothing needs a decision\n")
    ids = [row["id"] for row in json.loads(served_line.output("list", "--json"))]
    assert len(ids) == 3


def test_unchanged_text_decides_nothing(
    served_line: CommandLine, choose_editor: ChooseEditor
) -> None:
    choose_editor("no such text", "")
    terminal = review_in_terminal(served_line)
    terminal.expect_exact("[q]uit: ")
    terminal.send("m")
    terminal.expect_exact("no change: edit the two texts into one")
    terminal.expect_exact("[q]uit: ")
    terminal.send("q")
    terminal.expect_exact("0 of 2 decided: run lesson-search review for the rest")
    terminal.expect(pexpect.EOF)
    assert terminal.wait() == 0


def test_lesson_changed_after_it_was_shown_is_kept(
    served_line: CommandLine, choose_editor: ChooseEditor
) -> None:
    choose_editor("Never", "Please never")
    terminal = review_in_terminal(served_line)
    for change, key, message in (
        ({"text": "Another lesson."}, "d", "a-1 changed meanwhile: look at it, then repeat"),
        ({"project": "h.example/shop"}, "e", "b-0 changed meanwhile: look at it, then repeat"),
    ):
        terminal.expect_exact("[q]uit: ")
        row = {"id": message[:3], "text": "b", "categories": ["a"], **change}
        served_line.output("ingest", "-", "--restore", given=json.dumps(row).encode())
        terminal.send(key)
        terminal.expect_exact(message)
    terminal.expect_exact("0 of 2 decided")
    terminal.expect(pexpect.EOF)
    texts = [row["text"] for row in json.loads(served_line.output("list", "--json"))]
    assert "Another lesson." in texts


def test_projects_are_shown_and_ctrl_c_ends_the_line_of_the_question(
    served_line: CommandLine,
) -> None:
    served_line.output("add", "Never edit a COPY by hand.", "--project", "h.example/shop")
    terminal = review_in_terminal(served_line)
    terminal.expect_exact("never-edit-a-copy-by-hand (h.example/shop): Never edit")
    terminal.expect_exact("[q]uit: ")
    terminal.sendintr()
    terminal.expect_exact("\r\nlesson-search: stopped")
    terminal.expect(pexpect.EOF)
    assert terminal.wait() == 130


def review_in_terminal(line: CommandLine) -> "pexpect.spawn[str]":
    return pexpect.spawn(
        sys.executable,
        ["-m", "lesson_search", "review", "--data", str(line.folder)],
        env={**os.environ, "TERM": "dumb"},
        timeout=60,
        encoding="utf-8",
    )
