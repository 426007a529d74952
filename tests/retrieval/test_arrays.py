"""The best scores are found, whatever the others are."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_retrieval.arrays import LARGEST, find_best, shrink, widen

# Few different ones, so that many are equal.
SCORES = st.lists(st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 3.0]), max_size=60)


@given(scores=SCORES, most=st.integers(1, 70))
def test_best_scores_are_found(scores: list[float], most: int) -> None:
    """The highest are found, of equal ones the first, and none that is -inf."""
    found = find_best(np.array(scores, np.float32), most)
    expected = sorted(range(len(scores)), key=lambda number: -scores[number])[:most]
    assert found.tolist() == sorted(number for number in expected if scores[number] > -np.inf)


@pytest.mark.parametrize("most", [1, 40, 500, 4_999, 5_000])
@pytest.mark.parametrize("order", ["any", "ascending", "descending", "at intervals"])
def test_best_of_many_are_found(order: str, most: int) -> None:
    """They are found among many scores, too, whatever a sample of these tells."""
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
def test_widened_numbers_are_the_same(numbers: list[float]) -> None:
    """A number of 16 bits is the same one in 32."""
    assert widen(np.array(numbers, np.float16)).tolist() == numbers


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), max_size=4))
def test_shrunk_rows_are_nearly_the_same(numbers: list[list[float]]) -> None:
    """A row in a byte a number differs by half a step at most, and is the same if shrunk again."""
    rows = np.array(numbers, np.float32).reshape(-1, 3)
    small, scales = shrink(rows)
    restored = widen(small) * scales[:, None]
    steps = np.abs(rows).max(axis=1, keepdims=True) / LARGEST
    assert (np.abs(restored - rows) <= 0.51 * steps + 1e-9).all()
    assert (shrink(restored)[0] == small).all()


def test_no_row_is_shrunk() -> None:
    """Rows without numbers stay without."""
    small, scales = shrink(np.zeros((2, 0), np.float32))
    assert (small.shape, scales.shape) == ((2, 0), (2,))


def test_products_do_not_warn() -> None:
    """What a product tells of numbers that are not its own is not shown to anybody."""
    program = (
        "import numpy as np, hookwright_retrieval.arrays;"
        "np.array([[np.inf]], np.float32) @ np.zeros((1, 1), np.float32)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
