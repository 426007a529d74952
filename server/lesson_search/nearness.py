"""Score documents by how near their vectors are to a query's.

What all documents have in common, their mean, is taken off first: cosines of texts of one field
are all high otherwise, and tell little. (J. Mu and P. Viswanath, "All-but-the-Top", 2018.)
"""

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Vectors, scale

Scores = npt.NDArray[np.float32]


class VectorIndex:
    """Vectors of length 1, which have numbers from 0 on in the order they are added."""

    def __init__(self, dimensions: int) -> None:
        """Start without vectors of so many dimensions."""
        self._room: Vectors = np.zeros((64, dimensions), np.float32)
        self._used = 0
        self._common: Vectors = np.zeros(dimensions, np.float32)
        self._lengths: Scores = np.zeros(0, np.float32)  # of the vectors less the common

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return self._used

    def add(self, vectors: Vectors) -> None:
        """Add vectors, of shape (vectors, dimensions), with the next numbers."""
        needed = self._used + len(vectors)
        if needed > len(self._room):
            room = np.zeros((max(needed, 2 * len(self._room)), self._room.shape[1]), np.float32)
            room[: self._used] = self._room[: self._used]
            self._room = room
        self._room[self._used : needed] = vectors
        self._used = needed

    def score(self, query: Vectors) -> Scores:
        """Return the cosine of each vector and the query, less the common, of shape (vectors,)."""
        vectors = self._room[: self._used]
        if len(self._lengths) < self._used:
            self._common = vectors.mean(axis=0, dtype=np.float32)
            squares = 1 - 2 * (vectors @ self._common) + self._common @ self._common
            self._lengths = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)
        direction = scale(query - self._common)
        cosines = (vectors @ direction - self._common @ direction) / self._lengths
        scores: Scores = cosines.astype(np.float32, copy=False)
        return scores
