"""Excerpts stay within a budget, and their code blocks are complete or closed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_documentation.cutting.page_files import has_open_fence
from hookwright_documentation.serving.excerpts import cut

BUDGET = 200
CODE = "```python\n" + "".join(f"line_{n} = {n}\n" for n in range(100)) + "```\n"
BLOCKS = st.sampled_from(
    [
        *("", "Some words of a sentence.", "a" * 90, "word " * 120, "b" * 500, "``", "~~~"),
        *("```\n```", "```python\nprint()\n```", "    ````\n    ```\n    ````"),
        *("```\n" + "code\n" * 70 + "```", "```\n" + "code " * 99 + "\n```", "```" * 9 + "text"),
    ]
)
TEXTS = st.lists(BLOCKS, max_size=30).map("\n".join).filter(lambda text: not has_open_fence(text))


def test_short_text_is_returned_whole() -> None:
    text = "Words.\n\n```\ncode\n```\n"
    assert cut(text, BUDGET).text == text.rstrip("\n")
    assert cut(text, BUDGET).end == len(text)


def test_late_code_block_moves_to_the_next_excerpt() -> None:
    words = "A sentence of words.\n" * 8
    excerpt = cut(words + CODE, BUDGET)
    assert excerpt.text == words.rstrip("\n")
    assert cut(words + CODE, BUDGET, excerpt.end).text.startswith("```python\nline_0")


def test_nearly_complete_code_block_is_finished() -> None:
    code = "```\n" + "code\n" * 45 + "```\n"
    assert cut(f"{code}Words.\n" + "More. " * 90, BUDGET).text == code.rstrip("\n")


def test_long_code_block_is_closed_and_reopened() -> None:
    excerpt = cut(CODE, BUDGET)
    assert excerpt.text.endswith("\n```")
    later = cut(CODE, BUDGET, excerpt.end).text
    assert later.startswith("```python\nline_")
    assert later.endswith("\n```")


@pytest.mark.parametrize("start", [7, 9])
def test_start_within_a_line_moves_to_its_beginning(start: int) -> None:
    assert cut("First.\nSecond.\n", BUDGET, start).text == "Second."


def test_long_line_is_split_at_a_space() -> None:
    text = "word " * 100
    excerpt = cut(text, BUDGET)
    assert excerpt.text.endswith("word")
    assert cut(text, BUDGET, excerpt.end).text.startswith("… word")


def test_start_within_a_long_opening_line_is_inside_the_block() -> None:
    text = cut("```" + "word " * 100 + "\ncode\n```\nWords.\n", BUDGET, 308).text
    assert text.startswith("```\n…word")
    assert not has_open_fence(text)


@given(TEXTS, st.integers(0, 3000))
def test_excerpts_are_balanced_and_near_the_budget(text: str, start: int) -> None:
    excerpt = cut(text, BUDGET, start)
    assert not has_open_fence(excerpt.text)
    assert excerpt.end > start or excerpt.end == len(text)
    assert len(excerpt.text) <= BUDGET * 1.5 + 400


@given(TEXTS)
def test_excerpts_cover_the_text(text: str) -> None:
    end, shown = 0, ""
    while True:
        excerpt = cut(text, BUDGET, end)
        shown += excerpt.text
        end = excerpt.end
        if end == len(text):
            break
    words = re.compile(r"[a-zA-Z.]+")
    assert len("".join(words.findall(shown))) >= len("".join(words.findall(text)))
