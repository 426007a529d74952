"""Output is styled at a terminal, subject to NO_COLOR and FORCE_COLOR."""

import subprocess
import sys
from collections.abc import Callable
from io import StringIO

import pytest

from hookwright_console.terminal import (
    build_table,
    listening,
    open_console,
    print_styled,
    show_progress,
    show_steps,
)

from ..support.pseudo_terminal import ESCAPE

GREEN, BOLD = "\x1b[32m", "\x1b[1m"

Show = Callable[..., str]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def show(*, terminal: bool, **variables: str) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(sys.stdout, "isatty", lambda: terminal)
            for name, value in {"TERM": "xterm", "COLUMNS": "20", **variables}.items():
                patch.setenv(name, value)
            print_styled(("+added", "green"), (" rest of a long line", ""))
            table = build_table("record")
            table.add_row("gitlab")
            open_console().print(table)
        return capsys.readouterr().out

    return show


def test_terminal_output_is_styled(show: Show) -> None:
    shown = show(terminal=True)
    assert shown.startswith(f"{GREEN}+added\x1b[0m rest of a long line\n")
    assert BOLD in shown


@pytest.mark.parametrize("forced", ["", "1"])
def test_no_color_takes_precedence(show: Show, forced: str) -> None:
    shown = show(terminal=True, NO_COLOR="1", FORCE_COLOR=forced)
    assert [line.rstrip() for line in shown.splitlines()] == [
        "+added rest of a long line",
        "record",
        "gitlab",
    ]


def test_forced_color_needs_no_terminal(show: Show) -> None:
    assert f"{GREEN}+added" in show(terminal=False, FORCE_COLOR="1")
    assert "\x1b" not in show(terminal=False)


def test_messages_keep_their_place_in_a_shared_pipe() -> None:
    code = "from hookwright_console.terminal import *; print_line('a'); print_message('p', 'b')"
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, stderr=subprocess.STDOUT, text=True) == "a\np: b\n"


class TerminalStream(StringIO):
    """A stream that reports being a terminal."""

    def isatty(self) -> bool:
        return True


def test_concurrent_tasks_share_one_view(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = TerminalStream()
    monkeypatch.setattr(sys, "stderr", stream)
    for name, value in {"TERM": "xterm", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    with show_steps(2) as step:
        for number, name in enumerate(("acme", "[b]rocket"), 1):
            step(number, name)
            with show_progress(f"Crawling {name}") as update:
                update(1, 3)
                update(3, 3)
    lines = ESCAPE.sub("", stream.getvalue()).splitlines()
    assert any(line.startswith("2 of 2: [b]rocket ") for line in lines)
    with show_progress("Alone") as update:
        update(1, 3)
    assert "Alone" in stream.getvalue()


def test_bar_without_a_total_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = TerminalStream()
    monkeypatch.setattr(sys, "stderr", stream)
    for name, value in {"TERM": "xterm", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    with show_progress("Indexing", always=True) as update:
        assert "Indexing" in stream.getvalue()
        update(1, 3)
        stream.truncate(stream.seek(0))
        update(3, 3)
        assert "Indexing" in stream.getvalue()
    assert "/?" not in stream.getvalue()


def test_no_view_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with show_steps(2) as step, show_progress("Crawling") as update:
        step(1, "acme")
        update(1, 3)
    assert capsys.readouterr() == ("", "")


def test_listener_receives_progress() -> None:
    events: list[tuple[str, int, int]] = []
    with listening(lambda *event: events.append(event)), show_progress("Crawling") as update:
        for done in range(1_001):
            update(done, 1_000)
    assert events[0] == ("Crawling", 0, 0)
    assert events[-1] == ("Crawling", 1_000, 1_000)
    assert len(events) < 1_000
