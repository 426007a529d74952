"""The records of a catalogue are offered one by one."""

import io
import sys

import pytest

from hookwright.cli.offer import ask


@pytest.mark.parametrize(
    ("typed", "letter"),
    [("\n", "n"), ("Yes\n", "y"), ("a\n", "a"), ("s\n", "s"), ("", "s"), ("yep\nn\n", "n")],
)
def test_answer_is_one_of_four(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, letter: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert ask("Import the route gist?") == letter
    said = capsys.readouterr().err
    assert said.startswith("Import the route gist? [y/N/a/s] ")
    assert ("expected y, n, a or s, got yep\n" in said) == ("yep" in typed)
