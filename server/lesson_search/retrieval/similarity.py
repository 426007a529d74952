"""The similarity of lessons to a prompt, by the vectors of them and of their passages."""

from dataclasses import dataclass

import numpy as np

from hookwright_retrieval.arrays import Integers, Scores, list_ranges
from hookwright_retrieval.embedders import Vectors
from hookwright_retrieval.vector_index import VectorComparison, VectorIndex

BY_CHANCE = 0.1  # by how much the best of several passages is more similar by chance


class SimilarityIndex:
    """The vectors of lessons, which are numbered from 0 in the order they are added.

    An index is immutable, but only one of those that came from it may be extended.
    """

    def __init__(self, wholes: VectorIndex, passages: VectorIndex, owners: Integers) -> None:
        """Index lessons.

        Args:
            wholes: Their vectors.
            passages: The vectors of long lessons' passages.
            owners: The number of each passage's lesson, ascending, of shape (passages,).

        """
        self.wholes, self.passages, self.owners = wholes, passages, owners
        self._sizes = np.bincount(owners, minlength=len(wholes))  # passages of each lesson
        self._starts = np.cumsum(self._sizes) - self._sizes

    def __len__(self) -> int:
        return len(self.wholes)

    def extend(self, wholes: Vectors, passages: Vectors, owners: Integers) -> "SimilarityIndex":
        """Return an index with more lessons, which get the next numbers; owners count from 0."""
        return SimilarityIndex(
            self.wholes.extend(wholes),
            self.passages.extend(passages),
            np.concatenate([self.owners, owners + len(self)]),
        )

    def compare(self, prompt: Vectors) -> "SimilarityComparison":
        """Return the comparison of the lessons with the vector of a prompt."""
        wholes, passages = self.wholes.compare(prompt), self.passages.compare(prompt)
        return SimilarityComparison(wholes, passages, self.owners, self._starts, self._sizes)


@dataclass(frozen=True)
class SimilarityComparison:
    """How similar lessons, or their most similar passages, are to a prompt.

    Args:
        wholes: The comparison of the lessons.
        passages: That of their passages.
        owners: The number of each passage's lesson, of shape (passages,).
        starts: The first passage of each lesson, of shape (lessons,).
        sizes: The number of its passages, of shape (lessons,).

    """

    wholes: VectorComparison
    passages: VectorComparison
    owners: Integers
    starts: Integers
    sizes: Integers

    def estimate(self) -> Scores:
        wholes, passages = self.wholes.estimates, self.passages.estimates
        return combine(wholes, passages, self.owners)

    def score(self, numbers: Integers) -> Scores:
        """Return the similarity of some lessons, of shape (numbers,)."""
        sizes = self.sizes[numbers]
        passages, _ = list_ranges(self.starts[numbers], sizes)
        owners = np.repeat(np.arange(len(numbers)), sizes)
        return combine(self.wholes.score(numbers), self.passages.score(passages), owners)


def combine(wholes: Scores, passages: Scores, owners: Integers) -> Scores:
    """Return the higher one of a lesson's score and that of its best passage.

    Args:
        wholes: The scores of lessons, of shape (lessons,).
        passages: Those of passages, of shape (passages,).
        owners: The number of each passage's lesson, of shape (passages,).

    """
    highest: Scores = wholes.copy()
    np.maximum.at(highest, owners, passages - np.float32(BY_CHANCE))
    return highest
