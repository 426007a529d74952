"""Texts can be built for random patterns, and those for simple patterns match."""

import re
import warnings

from hypothesis import given
from hypothesis import strategies as st

from hookwright.patterns import redos

CHARACTERS = st.sampled_from("abzAZ09 _-/.]^\\\n\x00\xe9\u6f22\U0001f600")
LITERALS = CHARACTERS.map(re.escape)
RANGES = (
    st.tuples(CHARACTERS, CHARACTERS).map(sorted).map(lambda ends: "-".join(map(re.escape, ends)))
)
CATEGORIES = st.sampled_from([r"\d", r"\D", r"\w", r"\W", r"\s", r"\S"])
CLASSES = st.builds(
    lambda negated, items: f"[{negated}{''.join(items)}]",
    st.sampled_from(["", "^"]),
    st.lists(LITERALS | RANGES | CATEGORIES, min_size=1, max_size=3),
)
COUNTS = st.sampled_from(["*", "+", "?", "{2}", "{0,12}", "{3,}", "*?", "+?", "{1,2}?"])


def combine(inner: "st.SearchStrategy[str]") -> "st.SearchStrategy[str]":
    """Combine patterns into larger ones."""
    return st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.builds("(?:{}){}".format, inner, COUNTS),
        inner.map("({})".format),
        inner.map("(?i:{})".format),
        st.lists(inner, min_size=2, max_size=3).map("|".join).map("(?:{})".format),
    )


SIMPLE = st.recursive(LITERALS | CLASSES | CATEGORIES | st.just("."), combine, max_leaves=12)
VARIANTS = st.builds(redos.Variant, CHARACTERS | st.just(""), st.integers(0, 3), st.integers(0, 2))
FLAGS = st.sampled_from([0, re.IGNORECASE, re.DOTALL, re.ASCII, re.IGNORECASE | re.ASCII])
SYNTAX = st.lists(
    st.sampled_from([*"()[]|*+?^$-a, \\", "(?=", "(?<!", "(?:", "(?>", "[^", "{3}", "{9,}"])
    | st.sampled_from(["\\b", "\\1", "(?(1)", "(?P<a>", "(?P=a)", "(?i)"])
)


@given(st.text() | SYNTAX.map("".join) | SIMPLE, FLAGS)
def test_inputs_can_always_be_built(pattern: str, flags: int) -> None:
    inputs = redos.build_attacks(pattern, flags)
    assert len(inputs) <= 560
    assert all(isinstance(text, str) and text for text in inputs)


@given(SIMPLE, VARIANTS, FLAGS)
def test_example_of_a_simple_pattern_matches(
    pattern: str, variant: redos.Variant, flags: int
) -> None:
    nodes = redos.read_pattern(pattern, flags)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        regex = re.compile(pattern, flags)
    classes = [node.characters for node, _ in redos.walk(nodes) if node.kind == "class"]
    assert not all(classes) or regex.fullmatch(redos.build_example(nodes, variant, {}))
