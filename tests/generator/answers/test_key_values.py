"""Command-line arguments are parsed into typed values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright.answers.key_values import read_pairs, split_pairs, write_pairs

KEYS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
TEXTS = st.text("abc5 ._/:-[]{}\"'\\é", min_size=1).filter(lambda text: text == text.strip())
VALUES = st.one_of(TEXTS, st.integers(), st.booleans(), st.none(), st.lists(st.integers()))


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_written_values_round_trip(values: dict[str, Any]) -> None:
    assert read_pairs(split_pairs(write_pairs(values))) == (values, "")


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("", {}),
        ("index_name=gitlab", {"index_name": "gitlab"}),
        ("a=1, b=true,c=x=y", {"a": 1, "b": True, "c": "x=y"}),
        ("paths=/a, /b, top_k=5", {"paths": "/a, /b", "top_k": 5}),
        ('a={"b": [1, 2]}', {"a": {"b": [1, 2]}}),
    ],
)
def test_pairs_are_parsed(line: str, values: dict[str, Any]) -> None:
    assert read_pairs(split_pairs(line)) == (values, "")


@pytest.mark.parametrize("line", ["gitlab", "=5", ", x"])
def test_invalid_pair_is_reported(line: str) -> None:
    values, complaint = read_pairs(split_pairs(line))
    assert (values, "expected KEY=VALUE, got" in complaint) == ({}, True)


def test_duplicate_key_is_rejected() -> None:
    assert read_pairs(["k=1", "l=2", "k=3"]) == ({}, "k is set twice: set it once")
