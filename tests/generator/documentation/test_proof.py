"""The proof asks for words that a page has."""

import time

import pytest

from hookwright.documentation.proof import find_phrase

SENTENCE = "Put a proxy in front of the application"


@pytest.mark.parametrize("part", ["a", "a'", "a ", "a, ", "a-1 ", "aA9+/", "a\n"])
def test_data_in_a_page_takes_no_time(part: str) -> None:
    """A page with 400,000 letters without an end is looked through at once."""
    start = time.process_time()
    assert find_phrase(f"{SENTENCE}.\n\n{part * 400_000}\n")
    assert time.process_time() - start < 0.05
