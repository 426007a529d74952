"""Score documents by the cosine of their vectors and a query's.

The mean of all documents is subtracted first: without that, all cosines of texts from one field are
high and tell little. (J. Mu and P. Viswanath, "All-but-the-Top", 2018.)
"""

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.embedders import Vectors, scale

Scores = npt.NDArray[np.float32]
BACKGROUND = 100  # vectors
NO_VECTORS: Vectors = np.zeros((0, 0), np.float32)


class VectorIndex:
    """Vectors of length 1, numbered from 0 in the order they are added.

    An index is immutable: queries read one while the next is built.
    """

    def __init__(
        self, mean_vector: Vectors, room: Vectors = NO_VECTORS, used: int | None = None
    ) -> None:
        """Index vectors.

        Args:
            mean_vector: The mean of typical vectors, of shape (dimensions,). It counts as
                BACKGROUND vectors, since the mean of a few vectors is too close to each.
            room: An array that begins with the vectors, of shape (any, dimensions).
            used: The number of vectors in it; None for all.

        """
        self._mean_vector, self._room, self.vectors = mean_vector, room, room[:used]
        if not len(self):
            return
        total = self.vectors.sum(axis=0, dtype=np.float32) + BACKGROUND * mean_vector
        self._common = total / (len(self) + BACKGROUND)
        squares = 1 - 2 * (self.vectors @ self._common) + self._common @ self._common
        self._lengths = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return len(self.vectors)

    def extend(self, vectors: Vectors) -> "VectorIndex":
        """Return an index with more vectors, which get the next numbers.

        The two share memory if there is room, so extend an index only once.
        """
        if not len(self):
            return VectorIndex(self._mean_vector, vectors)
        if not len(vectors):
            return self
        used = len(self) + len(vectors)
        room = self._room
        if used > len(room):
            room = np.empty((used + used // 2, room.shape[1]), np.float32)
            room[: len(self)] = self.vectors
        room[len(self) : used] = vectors
        return VectorIndex(self._mean_vector, room, used)

    def score(self, query: Vectors) -> Scores:
        """Return the cosine of each vector and the query, less the mean, of shape (vectors,)."""
        if not len(self):
            return np.zeros(0, np.float32)
        direction = scale(query - self._common)
        cosines = (self.vectors @ direction - self._common @ direction) / self._lengths
        scores: Scores = cosines.astype(np.float32, copy=False)
        return scores
