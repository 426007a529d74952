"""The two indexes score as their definitions say, however the documents came in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.embedders import scale
from lesson_search.lexical import K1, B, LexicalIndex
from lesson_search.nearness import VectorIndex

TERMS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def score_slowly(documents: list[list[str]], query: list[str]) -> list[float]:
    """Return the BM25 scores, term by term as they are defined."""
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for term in set(query) & set(document):
            frequency = sum(term in other for other in documents)
            weight = math.log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
            count = document.count(term)
            damped = count + K1 * (1 - B + B * len(document) / mean)
            score += weight / math.log(len(documents) + 1.5) * (K1 + 1) * count / damped
        scores.append(score)
    return scores


@given(documents=st.lists(TERMS, min_size=1, max_size=8), query=TERMS)
def test_terms_score_as_bm25(documents: list[list[str]], query: list[str]) -> None:
    """Documents that are added one by one score as BM25 defines it."""
    index = LexicalIndex()
    for document in documents:
        index.add(document)
    if any(documents):
        assert index.score(query) == pytest.approx(score_slowly(documents, query), abs=1e-4)
    assert len(index) == len(documents)


def test_no_documents() -> None:
    """An index without documents has no scores."""
    assert LexicalIndex().score(["a"]).shape == (0,)


@pytest.mark.parametrize("batches", [[5], [1, 4], [1, 1, 1, 1, 1]])
@pytest.mark.parametrize("asked_between", [False, True])
def test_vectors_score_as_cosines(batches: list[int], *, asked_between: bool) -> None:
    """Vectors score the cosine to the query, both less the mean, however they were added."""
    vectors = scale(np.random.default_rng(7).normal(1, 1, (5, 8)).astype(np.float32))
    query = vectors[2] + vectors[3]
    index, start = VectorIndex(8), 0
    for size in batches:
        index.add(vectors[start : start + size])
        start += size
        if asked_between:
            index.score(query)
    common = vectors.mean(axis=0)
    expected = scale(vectors - common) @ scale(query - common)
    assert index.score(query) == pytest.approx(expected, abs=1e-5)


def test_room_for_vectors_grows() -> None:
    """A thousand vectors that are added one by one are all there."""
    index = VectorIndex(4)
    vectors = scale(np.random.default_rng(7).normal(size=(1000, 4)).astype(np.float32))
    for number in range(1000):
        index.add(vectors[number : number + 1])
    assert len(index) == 1000
    assert int(index.score(vectors[999]).argmax()) == 999
