"""The shipped lessons as a background corpus."""

import numpy as np

from hookwright_retrieval.bm25 import Postings
from lesson_search.retrieval.background_corpus import count_background, load_background


def test_shipped_counts_are_those_of_the_shipped_lessons() -> None:
    """What a start reads is what counting gives; python -m benchmarks.fit_ranking writes it."""
    loaded, counted = load_background(), count_background()
    compare(loaded.words, counted.words)
    compare(loaded.grams, counted.grams)


def compare(loaded: Postings, counted: Postings) -> None:
    assert list(loaded.rows.items()) == list(counted.rows.items())
    for name in ("bounds", "documents", "counts", "lengths"):
        ours, theirs = getattr(loaded, name), getattr(counted, name)
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)
