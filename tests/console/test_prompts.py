"""Both command lines format questions identically and fit them to the terminal."""

import io
import sys

import pytest

from hookwright_console.errors import NoTerminalError, StoppedError
from hookwright_console.terminal import ask_yes, fit, wrap


@pytest.mark.parametrize(
    ("typed", "default", "answer"),
    [("\n", True, True), ("\n", False, False), ("Y\n", False, True), ("no\n", True, False)],
)
def test_yes_and_no_are_accepted(
    monkeypatch: pytest.MonkeyPatch, *, typed: str, default: bool, answer: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert ask_yes("Go on?", default=default) == answer


def test_invalid_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\x1b[2J\n"))
    assert not ask_yes("Go on?", default=True)
    question, again = capsys.readouterr().err.splitlines()
    assert question == r"Go on? [Y/n] expected y or n, got \x1b[2J"
    assert again == "Go on? [Y/n] "


def test_text_wraps_at_word_boundaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    path = "/a-very-long/path-that/is-longer-than/a-line"
    assert wrap(f"Look at {path} now", "| ").split("\n") == ["| Look at", f"| {path}", "| now"]
    assert wrap("", "| ") == "|"


@pytest.mark.parametrize("terminal", [True, False])
def test_line_wraps_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    line = "  a line that is longer than the terminal"
    wrapped = "  a line that is longer than\n    the terminal"
    assert fit(line, stream) == (wrapped if terminal else line)
    assert fit("short", stream) == "short"


def test_command_at_the_end_of_a_message_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    command = "hookwright setup zorble --project '~/my hooks'"
    wrapped = f"nothing changed: to change that, run\n  {command}"
    assert fit(f"nothing changed: to change that, run {command}", stream) == wrapped


def test_errors_have_exit_codes() -> None:
    assert (NoTerminalError("--yes").exit_code, StoppedError("stopped").exit_code) == (2, 130)
