"""Catalogue records are offered one at a time."""

import io
import sys

import pytest

from hookwright.cli.add.catalogue import ask_letter


@pytest.mark.parametrize(
    ("typed", "letter"),
    [("\n", "n"), ("Yes\n", "y"), ("a\n", "a"), ("s\n", "s"), ("", "s"), ("yep\nn\n", "n")],
)
def test_offer_accepts_four_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, letter: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert ask_letter("Import the route gist?") == letter
    output = capsys.readouterr().err
    assert output.startswith("Import the route gist? [y/N/a/s] ")
    assert ("expected y, n, a or s, got yep\n" in output) == ("yep" in typed)
