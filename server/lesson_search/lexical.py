"""Score documents by the terms that they share with a query.

BM25 as S. Robertson and H. Zaragoza describe it in "The Probabilistic Relevance Framework" (2009),
section 3, with the weight of a term that never goes below zero. An index takes documents one by
one, which the libraries at hand do not: they build an index anew for each change.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

K1 = 1.2  # how soon more of the same term says little more
B = 0.75  # how much a long document is held against it

Scores = npt.NDArray[np.float32]


class LexicalIndex:
    """The terms of documents, which have numbers from 0 on in the order they are added."""

    def __init__(self) -> None:
        """Start without documents."""
        self._documents: dict[str, array[int]] = {}  # of each term, in their order
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("f")

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self._lengths)

    def add(self, terms: Iterable[str]) -> None:
        """Add a document of these terms, with the next number."""
        counts = Counter(terms)
        for term, count in counts.items():
            self._documents.setdefault(term, array("i")).append(len(self))
            self._counts.setdefault(term, array("i")).append(count)
        self._lengths.append(counts.total())

    def score(self, terms: Iterable[str]) -> Scores:
        """Return what each document has in common with a query of these terms.

        Args:
            terms: The query's terms; how often one occurs does not matter.

        Returns:
            A score for each document, of shape (documents,), from 0 on. A term that no other
            document has counts 1, at the most K1 + 1 times, however many documents there are.

        """
        scores: Scores = np.zeros(len(self), np.float32)
        lengths = np.frombuffer(self._lengths, np.float32) if self._lengths else scores
        mean = float(lengths.mean()) if len(self) else 1.0
        rarest = math.log(len(self) + 1.5)
        for term in set(terms) & self._documents.keys():
            documents = np.frombuffer(self._documents[term], np.int32)
            counts = np.frombuffer(self._counts[term], np.int32).astype(np.float32)
            frequency = len(documents)
            weight = math.log(1 + (len(self) - frequency + 0.5) / (frequency + 0.5)) / rarest
            damped = counts + K1 * (1 - B + B * lengths[documents] / mean)
            scores[documents] += weight * (K1 + 1) * counts / damped
        return scores
