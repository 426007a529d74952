"""Score documents by the cosine of their vectors and a query's.

The mean of all documents is subtracted first: without that, all cosines of texts from one field are
high and tell little. (J. Mu and P. Viswanath, "All-but-the-Top", 2018.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import Integers, Scores, multiply_rows, shrink, widen
from hookwright_retrieval.embedders import Vectors, scale

BACKGROUND = 100  # vectors
ROWS = 4_000  # vectors that are restored at a time, so that it takes little memory
NO_VECTORS: Vectors = np.zeros((0, 0), np.float32)
NO_SCORES: Scores = np.zeros(0, np.float32)

Number = TypeVar("Number", bound=np.generic)


class GrowingRows(Generic[Number]):
    """The rows of an array that has room for more."""

    def __init__(self, room: npt.NDArray[Number], used: int) -> None:
        self._room, self.rows = room, room[:used]

    def extend(self, rows: npt.NDArray[Number]) -> "GrowingRows[Number]":
        """Return these rows and more; both share memory if there is room."""
        if not len(self.rows):
            return GrowingRows(np.ascontiguousarray(rows), len(rows))
        start, end, room = len(self.rows), len(self.rows) + len(rows), self._room
        if end > len(room):
            room = np.empty((end + end // 2, room.shape[1]), room.dtype)
            room[:start] = self.rows
        room[start:end] = rows
        return GrowingRows(room, end)


@dataclass(frozen=True)
class Tails:
    """The last dimensions of vectors, in a byte each: they only correct an estimate.

    Args:
        numbers: The dimensions, of shape (vectors, dimensions).
        scales: What to multiply those of each vector by, of shape (vectors, 1).

    """

    numbers: GrowingRows[np.int8]
    scales: GrowingRows[np.float32]

    def extend(self, tails: Vectors) -> "Tails":
        """Return these and more; both share memory if there is room."""
        numbers, scales = shrink(tails)
        return Tails(self.numbers.extend(numbers), self.scales.extend(scales[:, None]))

    def restore(self) -> Vectors:
        """Return them as they were, nearly."""
        tails: Vectors = widen(self.numbers.rows) * self.scales.rows
        return tails

    def sum(self) -> Vectors:
        """Return the sum of all, of shape (dimensions,)."""
        total: Vectors = np.sum(
            [np.einsum("i,ij->j", scales, numbers) for numbers, scales in self._iterate()], axis=0
        )
        return total

    def multiply_all(self, tail: Vectors) -> Scores:
        return np.concatenate(
            [multiply_rows(numbers, tail) * scales for numbers, scales in self._iterate()]
        )

    def multiply(self, chosen: Integers, tail: Vectors) -> Scores:
        products: Scores = multiply_rows(widen(self.numbers.rows.take(chosen, axis=0)), tail)
        products *= self.scales.rows.take(chosen)
        return products

    def _iterate(self) -> Iterator[tuple[Vectors, Scores]]:
        for start in range(0, len(self.numbers.rows), ROWS):
            some = slice(start, start + ROWS)
            yield widen(self.numbers.rows[some]), self.scales.rows[some, 0]


NO_HEADS = GrowingRows(NO_VECTORS, 0)
NO_TAILS = Tails(
    GrowingRows(np.zeros((0, 0), np.int8), 0), GrowingRows(np.zeros((0, 1), np.float32), 0)
)


class VectorIndex:
    """Vectors of length 1, numbered from 0 in the order they are added.

    An index is immutable: queries read one while the next is built.
    """

    def __init__(
        self,
        mean_vector: Vectors,
        coarse: int | None = None,
        heads: GrowingRows[np.float32] = NO_HEADS,
        tails: Tails = NO_TAILS,
    ) -> None:
        """Start without vectors, or with those of another index and more.

        Args:
            mean_vector: The mean of typical vectors, of shape (dimensions,). It counts as
                BACKGROUND vectors, since the mean of a few vectors is too close to each.
            coarse: How many of the first dimensions make an estimate; None for all. They are
                stored apart from the others, since an estimate of all vectors reads them alone.
            heads: The first dimensions of the vectors, from `extend`.
            tails: The others, from `extend`.

        """
        self._mean_vector, self._coarse = mean_vector, coarse
        self._heads, self._tails = heads, tails
        self._measure()

    def __len__(self) -> int:
        return len(self._heads.rows)

    @property
    def vectors(self) -> Vectors:
        """The vectors, of shape (vectors, dimensions): a copy if some dimensions are apart."""
        heads = self._heads.rows
        if self._coarse is None:
            return heads
        return np.concatenate([heads, self._tails.restore()], axis=1)

    def extend(self, vectors: Vectors) -> "VectorIndex":
        """Return an index with more vectors, which get the next numbers.

        The two share memory if there is room, so extend an index only once.
        """
        if not len(vectors):
            return self
        heads, tails = self._cut(vectors)
        return VectorIndex(
            self._mean_vector, self._coarse, self._heads.extend(heads), self._tails.extend(tails)
        )

    def score(self, query: Vectors) -> Scores:
        """Return the cosine of each vector and the query, less the mean, of shape (vectors,)."""
        compared = self.compare(query)
        if self._coarse is None:
            return compared.estimates
        return compared.score(np.arange(len(self)))

    def compare(self, query: Vectors) -> "VectorComparison":
        """Return the comparison of the vectors with a query."""
        if not len(self):
            return VectorComparison(NO_SCORES, self._tails, query[:0], 0.0, NO_SCORES)
        direction = scale(query - self._common)
        (head, tail), (common, rest) = self._cut(direction), self._cut(self._common)
        estimates = multiply_rows(self._heads.rows, head)
        estimates -= common @ head
        estimates /= self._lengths
        return VectorComparison(
            estimates.astype(np.float32, copy=False),
            self._tails,
            tail,
            float(rest @ tail),
            self._lengths,
        )

    def _cut(self, vectors: Vectors) -> tuple[Vectors, Vectors]:
        end = vectors.shape[-1] if self._coarse is None else self._coarse
        return vectors[..., :end], vectors[..., end:]

    def _measure(self) -> None:
        if not len(self):
            return
        heads = self._heads.rows
        total = np.concatenate([heads.sum(axis=0, dtype=np.float32), self._tails.sum()])
        mean = (total + BACKGROUND * self._mean_vector) / (len(self) + BACKGROUND)
        self._common: Vectors = mean.astype(np.float32, copy=False)
        common, rest = self._cut(self._common)
        products = multiply_rows(heads, common) + self._tails.multiply_all(rest)
        squares = 1 - 2 * products + self._common @ self._common
        self._lengths = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)


@dataclass(frozen=True)
class VectorComparison:
    """How near vectors are to a query: an estimate for all, and exactly for those asked for.

    Args:
        estimates: The cosines as the first dimensions tell them, of shape (vectors,).
        tails: The other dimensions of the vectors; none if the estimates are exact.
        direction: Those of the query, of shape (others,).
        common: Their product with what all vectors have in common.
        lengths: The length of each vector without that, of shape (vectors,).

    """

    estimates: Scores
    tails: Tails
    direction: Vectors
    common: float
    lengths: Scores

    def score(self, numbers: Integers) -> Scores:
        """Return the cosines of the vectors with these numbers, of shape (numbers,)."""
        scores = self.estimates.take(numbers)
        if len(self.direction):
            rest = self.tails.multiply(numbers, self.direction) - self.common
            scores += rest / self.lengths.take(numbers)
        return scores
