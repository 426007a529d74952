"""Near duplicates are the pairs of vectors with the highest similarity."""

import numpy as np
import pytest

from hookwright_retrieval.embedders import scale
from lesson_search.retrieval.collection import Duplicate, find_duplicates


@pytest.mark.parametrize(("least", "most"), [(0.5, 500), (0.5, 3), (0.8, 500), (0.99, 500)])
def test_nearest_pairs_are_found_among_many(least: float, most: int) -> None:
    random = np.random.default_rng(1)
    topics = random.normal(size=(30, 16))[random.integers(0, 30, 500)]
    vectors = scale((topics + 0.3 * random.normal(size=topics.shape)).astype(np.float32))
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    expected = np.sort(cosines[cosines >= least])[::-1][:most]
    pairs = find_duplicates([str(number) for number in range(500)], vectors, least, most)
    assert [pair.cosine for pair in pairs] == pytest.approx(expected.tolist(), abs=1e-4)
    assert len({(pair.first, pair.second) for pair in pairs}) == len(expected)
    for pair in pairs:
        cosine = vectors[int(pair.first)] @ vectors[int(pair.second)]
        assert cosine == pytest.approx(pair.cosine, abs=1e-4)


def test_identical_vectors_are_duplicates() -> None:
    vectors = np.tile(np.eye(1, 8, dtype=np.float32), (300, 1))
    pairs = find_duplicates([str(number) for number in range(300)], vectors, 0.5, 20)
    assert [pair.cosine for pair in pairs] == [1] * 20
    assert all(pair.first != pair.second for pair in pairs)


def test_equal_pairs_are_sorted_by_id() -> None:
    vectors = scale(np.random.default_rng(3).normal(size=(600, 64)).astype(np.float32))
    same = [0, 3, 511, 512, 599]
    vectors[same] = vectors[0]
    ids = [f"{number:03}" for number in range(600)]
    pairs = [(ids[low], ids[high]) for low in same for high in same if low < high]
    for most in (1, 4, 10, 50):
        duplicates = find_duplicates(ids, vectors, 1.0, most)
        assert duplicates == [Duplicate(first, second, 1.0) for first, second in pairs[:most]]


def test_nearest_pairs_come_first() -> None:
    vectors = np.array([[1, 0], [0.6, 0.8], [0.8, 0.6]], np.float32)
    expected = [Duplicate("b", "c", 0.96), Duplicate("a", "c", 0.8), Duplicate("a", "b", 0.6)]
    assert find_duplicates("abc", vectors, 0.6, 9) == expected
    assert find_duplicates("abc", vectors, 0.8, 9) == expected[:2]
    assert find_duplicates("abc", vectors, 0.81, 9) == expected[:1]
