"""Text that others wrote is shown readably, and never acts on a terminal."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright.patterns.literals import MAX_SHOWN, shorten_repetitions
from hookwright_console.hidden_characters import is_visible
from hookwright_console.text import make_printable

PARTS = st.tuples(st.text(max_size=5), st.integers(0, 40)).map(lambda part: part[0] * part[1])


def evaluate(expression: str) -> str:
    def value(node: ast.expr) -> str:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return value(node.left) + value(node.right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return value(node.left) * int(ast.literal_eval(node.right))
        return str(ast.literal_eval(node))

    return value(ast.parse(expression, mode="eval").body)


@given(st.text())
def test_what_is_escaped_can_be_printed(text: str) -> None:
    assert make_printable(text).isprintable()
    assert not is_visible(text) or make_printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "''"),
        ("abc", "'abc'"),
        ("1000", "'1000'"),
        ("a" * 50 + "!!", "'a' * 50 + '!!'"),
        ("aaaa!", "'aaaa!'"),
        ("https://" + "a-" * 20, "'https://' + 'a-' * 20"),
        ("\x1b[2J" * 9, r"'\x1b[2J' * 9"),
        ("'" * 12 + '"' * 12, "\"'\" * 12 + '\"' * 12"),
    ],
)
def test_a_repetition_is_shown_as_one(text: str, shown: str) -> None:
    assert shorten_repetitions(text) == shown


@given(st.lists(PARTS, max_size=5).map("".join))
def test_what_is_shown_is_the_text(text: str) -> None:
    shown = shorten_repetitions(text)
    assert shown.isprintable()
    assert "..." in shown or evaluate(shown) == text


def test_a_long_text_is_cut() -> None:
    shown = shorten_repetitions("".join(map(chr, range(0x4E00, 0x5000))))
    assert len(shown) < MAX_SHOWN + 10
    assert "..." in shown
