"""The answers of an interrupted dialogue are saved as a draft, which the next dialogue offers."""

import io
import json
import os
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hookwright.wizard.dialogue import Dialogue
from hookwright.wizard.drafts import drafting, find_draft, offer_draft
from hookwright_console.errors import DeclinedError, RefusedError, ReportedError, StoppedError

QUESTIONS = ("First?", "Second?", "Third?")
COMMAND = "hookwright new --no-commit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "my hooks"


@pytest.fixture
def ask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    def ask(*lines: str, questions: tuple[str, ...] = QUESTIONS, error: Any = None) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "argv", ["/bin/hookwright", "new", "--no-commit"])
        dialogue = Dialogue()

        def ask_all() -> list[str]:
            return [dialogue.ask_text(question, check=check) for question in questions]

        with drafting(dialogue, "new", folder, str(folder)):
            answers = dialogue.section("It", "It is asked for.", ask_all)
            if error:
                raise error
        return answers

    return ask


def check(text: str) -> str:
    return "too long" if len(text) > 9 else ""


def start(ask: Callable[..., list[str]], *lines: str) -> str:
    with pytest.raises(StoppedError) as stopped:
        ask(*lines)
    return str(stopped.value)


def test_interrupt_keeps_a_private_draft(ask: Callable[..., list[str]], folder: Path) -> None:
    message = start(ask, "1", "2")
    assert message == f"stopped; a draft is kept: to go on, run {COMMAND} '{folder}'"
    path = find_draft("new", folder)
    assert path.is_relative_to(Path.home() / ".local" / "state" / "hookwright")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="no signal reports a closed terminal")
def test_closed_terminal_keeps_a_draft(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    before = signal.getsignal(signal.SIGHUP)

    def ask_one() -> None:
        dialogue = Dialogue()
        with drafting(dialogue, "new", folder):
            dialogue.ask_text("First?")
            os.kill(os.getpid(), signal.SIGHUP)

    try:
        with pytest.raises(StoppedError):
            ask_one()
    finally:
        signal.signal(signal.SIGHUP, before)
    assert json.loads(find_draft("new", folder).read_text()) == [["First?", "1"]]


def test_state_folder_is_configurable(
    ask: Callable[..., list[str]], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    start(ask, "1")
    assert (tmp_path / "state" / "hookwright" / "drafts").is_dir()
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    assert find_draft("new", folder).is_relative_to(Path.home())


def test_draft_is_resumed(
    ask: Callable[..., list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start(ask, "1", "2")
    capsys.readouterr()
    assert ask("", "3") == ["1", "2", "3"]
    out, err = capsys.readouterr()
    assert err.startswith("Go on with the draft of ")
    assert err.endswith("? [Y/n] ")
    assert "First?\n> 1\n" in out
    assert not find_draft("new", folder).exists()


def test_going_back_works_in_a_draft(ask: Callable[..., list[str]]) -> None:
    start(ask, "1", "2")
    assert ask("y", "<", "<", "one", "", "3") == ["one", "2", "3"]


def test_draft_may_be_declined(ask: Callable[..., list[str]], folder: Path) -> None:
    start(ask, "1", "2")
    with pytest.raises(KeyboardInterrupt):
        ask("n")
    with pytest.raises(RefusedError):
        ask("n", questions=(), error=RefusedError("no"))
    assert find_draft("new", folder).read_text().count("?") == 2
    assert ask("n", "a", "b", "c") == ["a", "b", "c"]
    assert not find_draft("new", folder).exists()


def test_draft_of_other_questions_provides_defaults(ask: Callable[..., list[str]]) -> None:
    start(ask, "1", "2")
    assert ask("y", "0", "", questions=("Zeroth?", "Second?")) == ["0", "2"]


def test_empty_draft_is_not_kept(ask: Callable[..., list[str]], folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        ask()
    assert not find_draft("new", folder).exists()


def test_draft_of_a_declined_record_is_kept(ask: Callable[..., list[str]], folder: Path) -> None:
    with pytest.raises(DeclinedError) as declined:
        ask("1", "2", "3", error=DeclinedError("nothing changed"))
    way = f"run {COMMAND} '{folder}'"
    assert str(declined.value) == f"nothing changed; a draft is kept: to go on, {way}"
    assert find_draft("new", folder).exists()


@pytest.mark.parametrize(("error", "stays"), [(ReportedError, False), (RefusedError, True)])
def test_draft_of_a_rejected_record_is_kept(
    ask: Callable[..., list[str]], folder: Path, error: type[Exception], *, stays: bool
) -> None:
    with pytest.raises(error):
        ask("1", "2", "3", error=error("no"))
    assert find_draft("new", folder).exists() == stays


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"\xff",
        b"5",
        b'{"First?": "1"}',
        b"[5]",
        b'[["First?"]]',
        b'[["First?", 5]]',
        b'[[5, "1"]]',
        b"[" * 100_000,
        b'[["First?", "' + b"x" * 1_000_000 + b'"]]',
    ],
    ids=range(11),
)
def test_damaged_draft_is_ignored(
    ask: Callable[..., list[str]],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
) -> None:
    path = find_draft("new", folder)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert ask("1", "2", "3") == ["1", "2", "3"]
    assert capsys.readouterr().err == f"hookwright: ignored a damaged draft: {path}\n"
    assert not path.exists()


def test_draft_with_an_impossible_year_is_ignored(
    ask: Callable[..., list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(ask, "1")
    path = find_draft("new", folder)
    stats = Path.stat

    def date(self: Path, **options: bool) -> object:
        status = stats(self, **options)
        return SimpleNamespace(st_mode=status.st_mode, st_mtime=2.0**80) if self == path else status

    monkeypatch.setattr(Path, "stat", date)
    assert offer_draft(path) == []


def test_draft_that_is_not_a_file_is_ignored(
    ask: Callable[..., list[str]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = find_draft("new", folder)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert ask("1", "2", "3") == ["1", "2", "3"]
    path.mkdir()
    assert ask("1", "2", "3") == ["1", "2", "3"]
    assert capsys.readouterr().err.count("ignored a damaged draft") == 2


@pytest.mark.parametrize("answer", ["far too long", ["1"], True, ""])
def test_draft_answers_are_checked(
    ask: Callable[..., list[str]], folder: Path, answer: object
) -> None:
    path = find_draft("new", folder)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([["First?", answer], ["Second?", "2"]]))
    assert ask("y", "1", "", "3") == ["1", "2", "3"]


def test_unwritable_draft_is_reported(ask: Callable[..., list[str]], folder: Path) -> None:
    path = find_draft("new", folder)
    path.parent.parent.mkdir(parents=True)
    path.parent.write_text("mine")
    message = start(ask, "1")
    assert message == f"stopped; {path} cannot be written: File exists"
