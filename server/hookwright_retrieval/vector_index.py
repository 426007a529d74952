"""Score documents by the cosine of their vectors and a query's.

The mean of all documents is subtracted first: without that, all cosines of texts from one field are
high and tell little. (J. Mu and P. Viswanath, "All-but-the-Top", 2018.)
"""

from dataclasses import dataclass

import numpy as np

from hookwright_retrieval.arrays import Integers, Scores
from hookwright_retrieval.embedders import Vectors, scale

BACKGROUND = 100  # vectors
NO_VECTORS: Vectors = np.zeros((0, 0), np.float32)
NO_SCORES: Scores = np.zeros(0, np.float32)


class GrowingRows:
    """The rows of an array that has room for more."""

    def __init__(self, room: Vectors, used: int) -> None:
        """Take the first rows of an array, of shape (any, columns)."""
        self._room, self.rows = room, room[:used]

    def extend(self, rows: Vectors) -> "GrowingRows":
        """Return these rows and more; both share memory if there is room."""
        if not len(self.rows):
            return GrowingRows(np.ascontiguousarray(rows), len(rows))
        start, end, room = len(self.rows), len(self.rows) + len(rows), self._room
        if end > len(room):
            room = np.empty((end + end // 2, room.shape[1]), np.float32)
            room[:start] = self.rows
        room[start:end] = rows
        return GrowingRows(room, end)


NO_ROWS = GrowingRows(NO_VECTORS, 0)


class VectorIndex:
    """Vectors of length 1, numbered from 0 in the order they are added.

    An index is immutable: queries read one while the next is built.
    """

    def __init__(
        self,
        mean_vector: Vectors,
        coarse: int | None = None,
        rows: tuple[GrowingRows, GrowingRows] = (NO_ROWS, NO_ROWS),
    ) -> None:
        """Start without vectors, or with those of another index and more.

        Args:
            mean_vector: The mean of typical vectors, of shape (dimensions,). It counts as
                BACKGROUND vectors, since the mean of a few vectors is too close to each.
            coarse: How many of the first dimensions make an estimate; None for all. They are
                stored apart from the others, since an estimate of all vectors reads them alone.
            rows: The first dimensions of the vectors and the others, from `extend`.

        """
        self._mean_vector, self._coarse = mean_vector, coarse
        self._heads, self._tails = rows
        self._measure()

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return len(self._heads.rows)

    @property
    def vectors(self) -> Vectors:
        """The vectors, of shape (vectors, dimensions): a copy if some dimensions are apart."""
        heads, tails = self._heads.rows, self._tails.rows
        return np.concatenate([heads, tails], axis=1) if tails.shape[1] else heads

    def extend(self, vectors: Vectors) -> "VectorIndex":
        """Return an index with more vectors, which get the next numbers.

        The two share memory if there is room, so extend an index only once.
        """
        if not len(vectors):
            return self
        heads, tails = self._cut(vectors)
        rows = (self._heads.extend(heads), self._tails.extend(tails))
        return VectorIndex(self._mean_vector, self._coarse, rows)

    def score(self, query: Vectors) -> Scores:
        """Return the cosine of each vector and the query, less the mean, of shape (vectors,)."""
        compared = self.compare(query)
        if not self._tails.rows.shape[1]:
            return compared.estimates
        return compared.score(np.arange(len(self)))

    def compare(self, query: Vectors) -> "VectorComparison":
        """Return the comparison of the vectors with a query."""
        if not len(self):
            return VectorComparison(NO_SCORES, self._tails.rows, query[:0], 0.0, NO_SCORES)
        direction = scale(query - self._common)
        (head, tail), (common, rest) = self._cut(direction), self._cut(self._common)
        estimates = self._heads.rows @ head
        estimates -= common @ head
        estimates /= self._lengths
        return VectorComparison(
            estimates.astype(np.float32, copy=False),
            self._tails.rows,
            tail,
            float(rest @ tail),
            self._lengths,
        )

    def _cut(self, vectors: Vectors) -> tuple[Vectors, Vectors]:
        """Return the first dimensions, which make an estimate, and the others."""
        end = vectors.shape[-1] if self._coarse is None else self._coarse
        return vectors[..., :end], vectors[..., end:]

    def _measure(self) -> None:
        """Compute the mean, and how long each vector is without it."""
        if not len(self):
            return
        heads, tails = self._heads.rows, self._tails.rows
        total = np.concatenate([part.sum(axis=0, dtype=np.float32) for part in (heads, tails)])
        mean = (total + BACKGROUND * self._mean_vector) / (len(self) + BACKGROUND)
        self._common: Vectors = mean.astype(np.float32, copy=False)
        common, rest = self._cut(self._common)
        squares = 1 - 2 * (heads @ common + tails @ rest) + self._common @ self._common
        self._lengths = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)


@dataclass(frozen=True)
class VectorComparison:
    """How near vectors are to a query: an estimate for all, and exactly for those asked for.

    Args:
        estimates: The cosines as the first dimensions tell them, of shape (vectors,).
        tails: The other dimensions, of shape (vectors, others); none if the estimates are exact.
        direction: Those of the query, of shape (others,).
        common: Their product with what all vectors have in common.
        lengths: The length of each vector without that, of shape (vectors,).

    """

    estimates: Scores
    tails: Vectors
    direction: Vectors
    common: float
    lengths: Scores

    def score(self, numbers: Integers) -> Scores:
        """Return the cosines of the vectors with these numbers, of shape (numbers,)."""
        scores = self.estimates.take(numbers)
        if self.tails.shape[1]:
            rest = self.tails.take(numbers, axis=0) @ self.direction - self.common
            scores += rest / self.lengths.take(numbers)
        return scores
