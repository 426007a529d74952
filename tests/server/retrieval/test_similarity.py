"""A lesson is as similar as it or its best passage is, less what several have by chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.embedders import scale
from hookwright_retrieval.vector_index import VectorIndex
from lesson_search.retrieval.similarity import BY_CHANCE, SimilarityIndex

BATCHES = st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=3)


@given(batches=BATCHES, coarse=st.sampled_from([None, 2]), data=st.data())
def test_best_passage_counts(
    batches: list[list[int]], coarse: int | None, data: st.DataObject
) -> None:
    draw, mean_vector = np.random.default_rng(7), np.full(6, 0.2, np.float32)
    none = VectorIndex(mean_vector, coarse)
    index = SimilarityIndex(none, none, np.zeros(0, np.int64))
    passages = sum(map(sum, batches))
    vectors = scale(draw.normal(size=(passages + 12, 6)).astype(np.float32))
    first = last = 0
    for batch in batches:
        owners = np.repeat(np.arange(len(batch)), batch)
        wholes = vectors[passages + first : passages + first + len(batch)]
        index = index.extend(wholes, vectors[last : last + sum(batch)], owners)
        first, last = first + len(batch), last + sum(batch)
    assert len(index) == first
    query = draw.normal(size=6).astype(np.float32)
    whole, each = index.wholes.score(query), index.passages.score(query)
    expected = [
        max([score, *(each[index.owners == number] - BY_CHANCE)])
        for number, score in enumerate(whole)
    ]
    numbers = data.draw(st.lists(st.sampled_from(range(first)))) if first else []
    comparison = index.compare(query)
    scores = comparison.score(np.array(numbers, np.int64))
    assert scores == pytest.approx([expected[number] for number in numbers], abs=1e-5)
    if coarse is None:
        assert comparison.estimate() == pytest.approx(expected, abs=1e-5)
