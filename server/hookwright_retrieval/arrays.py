"""Functions for arrays of numbers and scores."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]
SmallNumbers = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.floating[Any]] | SmallNumbers
Number = TypeVar("Number", np.float32, np.float64)

LARGEST = 127  # largest value of a signed byte
TINY = 1e-9  # replaces 0 as a divisor
DECIMALS = 4  # decimals of a score; further ones differ between processors

# Each 16-bit float as a 32-bit float: a lookup takes a third of the time that numpy's conversion
# takes.
WIDE = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)


def multiply_rows(rows: npt.NDArray[Number], vector: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Multiply each row by a vector; equal rows have identical products, of shape (rows,).

    `@` adds up the last rows in a different order.
    """
    products: npt.NDArray[Number] = np.vecdot(rows, vector)
    return products


def round_scores(scores: npt.NDArray[Number]) -> npt.NDArray[np.float64]:
    """Return scores rounded so that equal scores are equal on every processor."""
    rounded: npt.NDArray[np.float64] = np.asarray(scores, np.float64).round(DECIMALS)
    return rounded


def sort_best(scores: npt.NDArray[Number]) -> Integers:
    """Return the scores' indices, highest score first; equal scores keep their order."""
    return np.argsort(-round_scores(scores), kind="stable")


def find_best(scores: npt.NDArray[Number], most: int) -> Integers:
    """Return the ascending indices of the highest scores, not of -inf; the first of equals win."""
    if most >= len(scores):
        return np.flatnonzero(np.isfinite(scores))
    least = np.partition(scores, -most)[-most]  # takes half the time of argpartition
    best = np.flatnonzero(scores >= least)
    if more := len(best) - most:
        best = np.delete(best, np.flatnonzero(scores[best] == least)[-more:])
    found: Integers = best[np.isfinite(scores[best])]
    return found


def shrink(rows: Scores) -> tuple[SmallNumbers, Scores]:
    """Return rows as signed bytes, and each row's scale factor, of shape (rows,)."""
    scales: Scores = np.abs(rows).max(axis=1, initial=TINY) / np.float32(LARGEST)
    return np.rint(rows / scales[:, None]).astype(np.int8), scales


def widen(numbers: Numbers) -> Scores:
    """Return 8, 16 or 32-bit numbers as 32-bit floats of the same shape."""
    if numbers.dtype != np.float16:
        return numbers.astype(np.float32, copy=False)
    wide: Scores = WIDE.take(numbers.view(np.uint16))
    return wide
