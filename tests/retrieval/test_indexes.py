"""The two indexes score as their definitions say, however the documents came in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval import bm25
from hookwright_retrieval import vector_index as similarity
from hookwright_retrieval.bm25 import K1, B, BM25Index, count_terms
from hookwright_retrieval.embedders import scale
from hookwright_retrieval.vector_index import VectorIndex

TERMS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


USUAL = [["a", "b"], ["b", "c", "c"]]  # documents as a rule
BACKGROUND = count_terms(USUAL)


def score_slowly(documents: list[list[str]], query: list[str]) -> list[float]:
    share = bm25.BACKGROUND / len(USUAL)
    number = len(documents) + share * len(USUAL)
    mean = (sum(map(len, documents)) + share * sum(map(len, USUAL))) / number
    scores = []
    for document in documents:
        score = 0.0
        for term in set(query) & set(document):
            frequency = share * sum(term in other for other in USUAL) + sum(
                term in other for other in documents
            )
            weight = math.log(1 + (number - frequency + 0.5) / (frequency + 0.5))
            count = document.count(term)
            damped = count + K1 * (1 - B + B * len(document) / mean)
            score += weight / math.log(number + 1.5) * (K1 + 1) * count / damped
        scores.append(score)
    return scores


@given(parts=st.lists(st.lists(TERMS, max_size=5), min_size=1, max_size=5), query=TERMS)
def test_terms_score_as_bm25(parts: list[list[list[str]]], query: list[str]) -> None:
    documents = [document for part in parts for document in part]
    index = index_parts(parts)
    assert len(index) == len(documents)
    assert index.score(query) == pytest.approx(score_slowly(documents, query), abs=1e-4)


@given(
    parts=st.lists(st.lists(TERMS, max_size=5), min_size=1, max_size=5),
    query=TERMS,
    data=st.data(),
)
def test_selected_documents_score_as_if_alone(
    parts: list[list[list[str]]], query: list[str], data: st.DataObject
) -> None:
    documents = [document for part in parts for document in part]
    numbers = (
        data.draw(st.lists(st.sampled_from(range(len(documents))), unique=True))
        if documents
        else []
    )
    kept = index_parts(parts).gather().select(np.array(numbers, np.int64))
    selected = BM25Index(BACKGROUND).extend(kept)
    alone = index_parts([[documents[number] for number in numbers]])
    assert selected.score(query) == pytest.approx(alone.score(query), abs=1e-6)


def index_parts(parts: list[list[list[str]]]) -> BM25Index:
    index = BM25Index(BACKGROUND)
    for part in parts:
        index = index.extend(count_terms(part))
    return index


def test_few_parts_are_searched() -> None:
    index = BM25Index(BACKGROUND)
    for number in range(1000):
        index = index.extend(count_terms([[str(number % 7)]]))
    assert len(index.parts) <= 10
    assert int((index.score(["3"]) > 0).sum()) == 143


@given(documents=st.lists(TERMS, min_size=1, max_size=9), query=TERMS, most=st.integers(0, 12))
def test_rarest_terms_are_read(documents: list[list[str]], query: list[str], most: int) -> None:
    index = index_parts([documents[:4], documents[4:]])
    frequencies = {term: sum(term in each for each in documents) for term in query}
    rarest, read = list[str](), 0
    for term in sorted(frequencies, key=frequencies.__getitem__):
        read += frequencies[term]
        if read <= most:
            rarest.append(term)
    # Of terms that are equally rare any may be read.
    if len({frequencies[term] for term in query}) == len(frequencies):
        assert index.score(query, most) == pytest.approx(index.score(rarest), abs=1e-6)
    assert index.score(query, sum(frequencies.values())) == pytest.approx(index.score(query))


@pytest.mark.parametrize("size", [65_536, 65_537])
def test_numbers_of_documents_fit(size: int) -> None:
    index = BM25Index(BACKGROUND)
    for documents in (size - 2, 2):
        index = index.extend(count_terms([["a"]] * (documents - 1) + [["a", "last"]]))
    assert np.flatnonzero(index.score(["last"])).tolist() == [size - 3, size - 1]
    assert int((index.score(["a"]) > 0).sum()) == size
    every = index.gather().select(np.arange(size)[::-1])
    assert np.flatnonzero(BM25Index(BACKGROUND).extend(every).score(["last"])).tolist() == [0, 2]


def test_no_documents() -> None:
    assert BM25Index(BACKGROUND).score(["a"]).shape == (0,)


@pytest.mark.parametrize("batches", [[5], [1, 4], [1, 1, 1, 1, 1]])
@pytest.mark.parametrize("asked_between", [False, True])
def test_vectors_score_as_cosines(batches: list[int], *, asked_between: bool) -> None:
    vectors = scale(np.random.default_rng(7).normal(1, 1, (5, 8)).astype(np.float32))
    query = vectors[2] + vectors[3]
    mean_vector = np.full(8, 0.3, np.float32)
    index, start = VectorIndex(mean_vector), 0
    for size in batches:
        index = index.extend(vectors[start : start + size])
        start += size
        if asked_between:
            index.score(query)
    total = vectors.sum(axis=0) + similarity.BACKGROUND * mean_vector
    common = total / (len(vectors) + similarity.BACKGROUND)
    expected = scale(vectors - common) @ scale(query - common)
    assert index.score(query) == pytest.approx(expected, abs=1e-5)


def test_index_is_as_it_was_once_extended() -> None:
    vectors = scale(np.random.default_rng(7).normal(1, 1, (99, 8)).astype(np.float32))
    index = longer = VectorIndex(vectors[50]).extend(vectors[:9])
    before = index.score(vectors[0])
    for number in range(9, 99):
        longer = longer.extend(vectors[number : number + 1])
    assert len(longer) == 99
    assert (index.score(vectors[0]) == before).all()


def test_room_for_vectors_grows() -> None:
    index = VectorIndex(np.zeros(4, np.float32))
    vectors = scale(np.random.default_rng(7).normal(size=(1000, 4)).astype(np.float32))
    for number in range(1000):
        index = index.extend(vectors[number : number + 1])
    assert len(index) == 1000
    assert int(index.score(vectors[999]).argmax()) == 999


@given(
    sizes=st.lists(st.integers(0, 4), max_size=4),
    coarse=st.sampled_from([None, 1, 3, 8]),
    data=st.data(),
)
def test_estimate_comes_from_the_first_dimensions(
    sizes: list[int], coarse: int | None, data: st.DataObject
) -> None:
    vectors = scale(np.random.default_rng(7).normal(1, 1, (sum(sizes), 8)).astype(np.float32))
    query, mean_vector = np.arange(8, dtype=np.float32), np.full(8, 0.3, np.float32)
    index, start = VectorIndex(mean_vector, coarse), 0
    for size in sizes:
        index = index.extend(vectors[start : start + size])
        start += size
    if not len(vectors):
        assert index.score(query).shape == (0,)
        return
    kept, comparison = index.vectors, index.compare(query)
    assert kept == pytest.approx(vectors, abs=1 / 254 + 1e-6)
    assert (kept[:, :coarse] == vectors[:, :coarse]).all()
    again = VectorIndex(mean_vector, coarse).extend(kept)
    assert again.vectors == pytest.approx(kept, abs=1e-6)
    scores = VectorIndex(mean_vector).extend(kept).score(query)
    assert index.score(query) == pytest.approx(scores, abs=1e-5)
    numbers = np.array(data.draw(st.lists(st.sampled_from(range(len(vectors))))), np.int64)
    assert comparison.score(numbers) == pytest.approx(scores[numbers], abs=1e-5)
    common = (kept.sum(axis=0) + similarity.BACKGROUND * mean_vector) / (
        len(kept) + similarity.BACKGROUND
    )
    lengths = np.sqrt(1 - 2 * kept @ common + common @ common)  # a vector's length counts as 1
    direction = scale(query - common)
    expected = (kept - common)[:, :coarse] @ direction[:coarse] / lengths
    assert comparison.estimates == pytest.approx(expected, abs=1e-5)
