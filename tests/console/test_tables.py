"""Tables fit the terminal without breaking words."""

import contextlib
import io
import os
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hookwright_console.terminal import print_table

COLUMNS = ("database", "keywords", "goes to")
TOOL = "mcp__leann__leann_search"
ROWS = [("gitlab", "gitlab, gl, gitlab-ci, gitlab runner, glab", TOOL), ("k8s", "k8s", TOOL)]


def draw(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    width: int,
    *rows: tuple[str, ...],
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(COLUMNS, rows or ROWS, ("keywords",))
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= width for line in lines)
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize("width", [30, 160])
def test_lines_have_no_trailing_blanks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(COLUMNS, ROWS, ("keywords",))
    assert not any(line.endswith(" ") for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("width", [30, 40, 50, 60, 80, 160])
def test_words_are_not_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    lines = draw(monkeypatch, capsys, width)
    words = {word for row in ROWS for text in row for word in text.split()}
    whole = " ".join(lines).split()
    assert all(word in whole for word in words - {TOOL})
    assert TOOL in whole or (width < 40 and TOOL in "".join(whole))


def test_wide_rows_become_lists(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(monkeypatch, capsys, 40, ("k8s", "k8s", TOOL), ("go", "go", "")) == [
        "k8s",
        "  keywords  k8s",
        f"  goes to   {TOOL}",
        "",
        "go",
        "  keywords  go",
    ]


def test_fitting_table_stays_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(draw(monkeypatch, capsys, 160)) == 1 + len(ROWS)


WORD = st.text("abcdefgh/-.;", min_size=1, max_size=16)
TEXT = st.lists(WORD, max_size=30).map(" ".join)
PATHS = st.lists(st.text("abcdefgh/", min_size=1, max_size=30), max_size=5).map(", ".join)


@given(width=st.integers(60, 170), rows=st.lists(st.tuples(WORD, PATHS, TEXT), min_size=1))
@example(width=80, rows=[("lesson", "devops/docker, development/build", "npm ci; " * 20)])
def test_wrapped_columns_keep_every_word(width: int, rows: list[tuple[str, str, str]]) -> None:
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": str(width)}),
        contextlib.redirect_stdout(printed),
    ):
        print_table(("id", "categories", "text"), rows, ("categories", "text"), {"text": 40})
    assert all(len(line) <= width for line in printed.getvalue().splitlines())
    words = sorted(" ".join(text for row in rows for text in row).split())
    headings = ("id", "categories", "text")
    shown = sorted(word for word in printed.getvalue().split() if word not in headings)
    assert shown == words
