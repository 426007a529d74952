"""The best scores are found, whatever the other scores are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.arrays import (
    LARGEST,
    find_best,
    multiply_rows,
    shrink,
    sort_best,
    widen,
)

SIGNALLING = {
    np.float32: (0x7FA00000, np.uint32),
    np.float64: (0x7FF4000000000000, np.uint64),
}
# Few distinct values, so that many are equal.
SCORES = st.lists(st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 3.0]), max_size=60)


@given(scores=SCORES, most=st.integers(1, 70))
def test_best_scores_are_found(scores: list[float], most: int) -> None:
    best = find_best(np.array(scores, np.float32), most)
    expected = sorted(range(len(scores)), key=lambda number: -scores[number])[:most]
    assert best.tolist() == sorted(number for number in expected if scores[number] > -np.inf)


def test_best_scores_are_found_among_many() -> None:
    for most in [1, 40, 500, 4_999, 5_000]:
        for order in ["any", "ascending", "descending", "at intervals"]:
            scores = np.random.default_rng(3).normal(size=5_000).astype(np.float32)
            if order == "ascending":
                scores.sort()
            elif order == "descending":
                scores = -np.sort(scores)
            elif order == "at intervals":
                scores[::11] += 100
            expected = np.sort(np.argsort(-scores, kind="stable")[:most])
            assert find_best(scores, most).tolist() == expected.tolist()


@given(st.lists(st.floats(width=16, allow_nan=False)))
def test_widened_numbers_are_equal(numbers: list[float]) -> None:
    assert widen(np.array(numbers, np.float16)).tolist() == numbers


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), max_size=4))
def test_compressed_rows_are_nearly_equal(numbers: list[list[float]]) -> None:
    rows = np.array(numbers, np.float32).reshape(-1, 3)
    small, scales = shrink(rows)
    restored = widen(small) * scales[:, None]
    steps = np.abs(rows).max(axis=1, keepdims=True) / LARGEST
    assert (np.abs(restored - rows) <= 0.51 * steps + 1e-9).all()
    assert (shrink(restored)[0] == small).all()


def test_empty_rows_can_be_compressed() -> None:
    small, scales = shrink(np.zeros((2, 0), np.float32))
    assert (small.shape, scales.shape) == ((2, 0), (2,))


def test_products_match_higher_precision() -> None:
    for dimensions in [1, 4, 16, 240, 256, 384, 1_024]:
        for kind in [np.float32, np.float64]:
            draw, tolerance = np.random.default_rng(3), 1e-5
            for number in (1, 2, 3, 7, 8, 9, 17, 150, 513):
                # The rows are surrounded by signalling NaNs, which warn when read.
                bits = np.full((number + 18, dimensions), *SIGNALLING[kind])
                rows = bits.view(kind)[9:-9]
                rows[:] = draw.normal(size=(number, dimensions)) / np.sqrt(dimensions)
                vector = rows[number // 2]
                exact = rows.astype(np.longdouble)
                expected = pytest.approx((exact @ exact[number // 2]).astype(float), abs=tolerance)
                assert multiply_rows(rows, vector) == expected
                assert rows @ vector == expected
                assert vector @ rows.T == expected
                assert (rows @ rows.T)[number // 2] == expected
                assert (rows @ np.ascontiguousarray(rows[::-1]).T)[:, ::-1][
                    :, number // 2
                ] == expected


@pytest.mark.parametrize("dimensions", [4, 16, 240])
def test_equal_rows_have_equal_products(dimensions: int) -> None:
    row, vector = np.random.default_rng(3).normal(size=(2, dimensions)).astype(np.float32)
    numbers = (1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 150, 4_001)
    products = [multiply_rows(np.tile(row, (number, 1)), vector) for number in numbers]
    assert len(np.unique(np.concatenate(products))) == 1


def test_scores_differing_by_rounding_keep_their_order() -> None:
    noise = np.array([0, -3e-7, 3e-7, 1e-7], np.float32)
    scores = np.concatenate([noise + 0.3, noise + 0.7])
    assert sort_best(scores).tolist() == [4, 5, 6, 7, 0, 1, 2, 3]
