"""Find records that say nearly the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hookwright_retrieval.arrays import DECIMALS, sort_best
from hookwright_retrieval.embedders import Vectors

ROWS = 128  # that are compared at once with all others


class Duplicate(NamedTuple):
    """The ids of two records, and the cosine of their vectors."""

    first: str
    second: str
    cosine: float


def find_duplicates(
    ids: Sequence[str], vectors: Vectors, least: float, most: int
) -> list[Duplicate]:
    """Return the pairs of records whose vectors are nearest, nearest first, then by their ids.

    Args:
        ids: The ids of the records, ascending.
        vectors: Their vectors of length 1, of shape (records, dimensions).
        least: The lowest cosine of a pair.
        most: The maximum number of pairs.

    """
    step = 0.1**DECIMALS
    pairs, nearest = np.zeros((0, 2), np.int64), np.zeros(0, np.float32)
    bar = np.float32(least - step)
    for start in range(0, len(ids), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors[start:].T
        cosines[np.tril_indices(*cosines.shape[:1])] = -1  # each pair once, and none with itself
        found = np.argwhere(cosines > bar + step / 4)  # some of them round to the bar
        pairs = np.concatenate([pairs, found + start])
        rounded = np.round(cosines[tuple(found.T)], DECIMALS)
        nearest = np.concatenate([nearest, np.minimum(rounded, 1)])
        if len(nearest) >= most:
            kept = sort_best(nearest)[:most]
            pairs, nearest = pairs[kept], nearest[kept]
            bar = nearest.min()
    order = sort_best(nearest)
    return [
        Duplicate(ids[first], ids[second], cosine)
        for (first, second), exact in zip(
            pairs[order].tolist(), nearest[order].tolist(), strict=True
        )
        if (cosine := round(exact, DECIMALS)) >= least
    ]
