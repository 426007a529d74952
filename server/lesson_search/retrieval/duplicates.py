"""Find records that say nearly the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hookwright_retrieval.embedders import Vectors

ROWS = 512  # that are compared at once with all others


class Duplicate(NamedTuple):
    """The ids of two records, and the cosine of their vectors."""

    first: str
    second: str
    cosine: float


Duplicates = list[Duplicate]


def find_duplicates(ids: Sequence[str], vectors: Vectors, least: float, most: int) -> Duplicates:
    """Return the pairs of records whose vectors are nearest, nearest first.

    Args:
        ids: The ids of the records.
        vectors: Their vectors of length 1, of shape (records, dimensions).
        least: The lowest cosine of a pair.
        most: The maximum number of pairs.

    """
    pairs: Duplicates = []
    for start in range(0, len(ids), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors[start:].T
        rows, columns = np.nonzero(np.triu(cosines >= least, k=1))
        order = np.argsort(-cosines[rows, columns], kind="stable")[:most]
        pairs += [
            Duplicate(ids[start + row], ids[start + column], round(min(1.0, cosine), 4))
            for row, column, cosine in zip(
                rows[order].tolist(),
                columns[order].tolist(),
                cosines[rows, columns][order].tolist(),
                strict=True,
            )
        ]
    return sorted(pairs, key=lambda pair: (-pair.cosine, pair))[:most]
