"""What is printed has styles at a terminal, and as NO_COLOR and FORCE_COLOR say."""

import sys
from collections.abc import Callable

import pytest

from hookwright_console.terminal import build_table, open_console, print_styled

GREEN, BOLD = "\x1b[32m", "\x1b[1m"

Show = Callable[..., str]


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    """Return what shows a line and a table, at a terminal or elsewhere, and returns the output."""
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


def test_terminal_has_styles(show: Show) -> None:
    """At a terminal, lines and tables have their styles, and a line of a patch stays one."""
    shown = show(terminal=True)
    assert shown.startswith(f"{GREEN}+added\x1b[0m rest of a long line\n")
    assert BOLD in shown


@pytest.mark.parametrize("forced", ["", "1"])
def test_no_color_goes_before_all(show: Show, forced: str) -> None:
    """With NO_COLOR nothing has a style, not even a heading."""
    shown = show(terminal=True, NO_COLOR="1", FORCE_COLOR=forced)
    assert [line.rstrip() for line in shown.splitlines()] == [
        "+added rest of a long line",
        "record",
        "gitlab",
    ]


def test_forced_color_needs_no_terminal(show: Show) -> None:
    """With FORCE_COLOR a file gets styles as a terminal does; without it, none."""
    assert f"{GREEN}+added" in show(terminal=False, FORCE_COLOR="1")
    assert "\x1b" not in show(terminal=False)
