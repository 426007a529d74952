"""Find records that say nearly the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

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
    """Return the pairs of records whose vectors are nearest, nearest first.

    Args:
        ids: The ids of the records.
        vectors: Their vectors of length 1, of shape (records, dimensions).
        least: The lowest cosine of a pair.
        most: The maximum number of pairs.

    """
    pairs, nearest = np.zeros((0, 2), np.int64), np.zeros(0, np.float32)
    bar = np.nextafter(np.float32(least), np.float32(0))
    for start in range(0, len(ids), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors[start:].T
        cosines[np.tril_indices(*cosines.shape[:1])] = -1  # each pair once, and none with itself
        found = np.argwhere(cosines > bar)
        pairs = np.concatenate([pairs, found + start])
        nearest = np.concatenate([nearest, cosines[tuple(found.T)]])
        if len(nearest) >= most:
            kept = np.argpartition(-nearest, most - 1)[:most]
            pairs, nearest = pairs[kept], nearest[kept]
            bar = nearest.min()
    return sorted(
        (
            Duplicate(ids[first], ids[second], round(min(1.0, cosine), 4))
            for (first, second), cosine in zip(pairs.tolist(), nearest.tolist(), strict=True)
        ),
        key=lambda pair: (-pair.cosine, pair),
    )
