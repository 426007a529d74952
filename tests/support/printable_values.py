"""Generate printable text and values that answers may contain."""

import json
import re

from hypothesis import strategies as st

from hookwright_console.text import is_visible

from .rendered_project import TEXTS

# Printable and visible characters, the only ones allowed in answers.
PRINTABLE = st.characters(exclude_categories=["C", "Z"]) | st.just(" ")
ANY_TEXT = (
    st.lists(st.text(PRINTABLE) | st.sampled_from(TEXTS), max_size=4)
    .map("".join)
    .filter(is_visible)
)
TEXT = ANY_TEXT.map(str.strip).filter(bool)
WORD = TEXT.filter(lambda text: not re.search("[,\uff0c]|://", text))  # valid as keywords
PLAIN_FLOATS = (
    st.floats(-1e9, 1e9)
    .map(lambda number: round(number, 4))
    .filter(lambda number: "e" not in repr(number))
)
SCALARS = st.none() | st.booleans() | st.integers() | PLAIN_FLOATS | ANY_TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


def as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True)
