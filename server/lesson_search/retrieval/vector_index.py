"""Score documents by how near their vectors are to a query's.

What all documents have in common, their mean, is taken off first: cosines of texts of one field
are all high otherwise, and tell little. (J. Mu and P. Viswanath, "All-but-the-Top", 2018.)
"""

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Vectors, scale

Scores = npt.NDArray[np.float32]
BACKGROUND = 100  # vectors
NO_VECTORS: Vectors = np.zeros((0, 0), np.float32)


class VectorIndex:
    """Vectors of length 1, which have numbers from 0 on in the order they are added.

    An index never changes, so that queries read one while the next is made.
    """

    def __init__(self, usual: Vectors, room: Vectors = NO_VECTORS, used: int | None = None) -> None:
        """Index vectors.

        Args:
            usual: The mean of vectors as a rule, of shape (dimensions,): it counts for BACKGROUND
                of them, for the mean of a few is too near each.
            room: The vectors, of shape (vectors, dimensions).
            used: How many of them are there; all if it is None.

        """
        self._usual, self._room, self.vectors = usual, room, room[:used]
        if not len(self):
            return
        total = self.vectors.sum(axis=0, dtype=np.float32) + BACKGROUND * usual
        self._common = total / (len(self) + BACKGROUND)
        squares = 1 - 2 * (self.vectors @ self._common) + self._common @ self._common
        self._lengths = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return len(self.vectors)

    def extend(self, vectors: Vectors) -> "VectorIndex":
        """Return an index that has further vectors, with the next numbers.

        It shares this one's memory where there is room: an index is to be extended once.
        """
        if not len(self):
            return VectorIndex(self._usual, vectors)
        if not len(vectors):
            return self
        used = len(self) + len(vectors)
        room = self._room
        if used > len(room):
            room = np.empty((used + used // 2, room.shape[1]), np.float32)
            room[: len(self)] = self.vectors
        room[len(self) : used] = vectors
        return VectorIndex(self._usual, room, used)

    def score(self, query: Vectors) -> Scores:
        """Return the cosine of each vector and the query, less the common, of shape (vectors,)."""
        if not len(self):
            return np.zeros(0, np.float32)
        direction = scale(query - self._common)
        cosines = (self.vectors @ direction - self._common @ direction) / self._lengths
        scores: Scores = cosines.astype(np.float32, copy=False)
        return scores
