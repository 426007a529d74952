"""Score documents by the terms that they share with a query.

BM25 as S. Robertson and H. Zaragoza describe it in "The Probabilistic Relevance Framework" (2009),
section 3, with the weight of a term that never goes below zero. An index grows by whole parts and
never changes, so that queries read one while the next is made.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

K1 = 1.2  # how soon more of the same term says little more
B = 0.75  # how much a long document is held against it
BACKGROUND = 100  # documents
MOST = 65_535  # of a term in a document that are counted

Integers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Postings:
    """Which terms each of some documents has; the documents have numbers from 0 on.

    Args:
        rows: The row of each term, in their order.
        bounds: Where the postings of each row begin, and where the last one's end, of shape
            (terms + 1,).
        documents: The document of each posting, of shape (postings,).
        counts: How often the term stands in it, of shape (postings,).
        lengths: How many terms each document has, of shape (documents,).

    """

    rows: Mapping[str, int]
    bounds: Integers
    documents: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    lengths: Scores

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self.lengths)

    def locate(self, terms: Sequence[str]) -> Integers:
        """Return where the postings of each term begin and end, of shape (terms, 2)."""
        rows = np.array([self.rows.get(term, -1) for term in terms], np.int64)
        spans = np.stack([self.bounds[rows], self.bounds[rows + 1]], axis=-1)
        spans[rows < 0] = 0
        return spans

    def score(self, spans: Integers, weights: npt.NDArray[np.float64], mean: float) -> Scores:
        """Return the scores of the documents, of shape (documents,).

        Args:
            spans: Where the postings of the query's terms are, as `locate` says it.
            weights: What each of these terms counts.
            mean: The length of a document as a rule.

        """
        places = [slice(start, end) for start, end in spans.tolist()]
        documents = np.concatenate([self.documents[:0], *(self.documents[p] for p in places)])
        counts = np.concatenate([self.counts[:0], *(self.counts[p] for p in places)])
        counts = counts.astype(np.float32)
        lengths = (K1 * (1 - B + B / mean * self.lengths)).astype(np.float32)
        shares = np.repeat(weights, np.diff(spans)[:, 0]) * counts / (counts + lengths[documents])
        return np.bincount(documents, shares, minlength=len(self)).astype(np.float32)

    def select(self, numbers: Integers) -> "Postings":
        """Return the documents of these numbers, which get new ones in their order."""
        places = np.full(len(self), -1, np.int32)
        places[numbers] = np.arange(len(numbers), dtype=np.int32)
        documents = places[self.documents]
        kept = documents >= 0
        bounds = np.concatenate([[0], np.cumsum(kept)])[self.bounds]
        filled = np.diff(bounds) > 0
        terms = (term for term, some in zip(self.rows, filled, strict=True) if some)
        return Postings(
            {term: row for row, term in enumerate(terms)},
            np.concatenate([[0], bounds[1:][filled]]),
            documents[kept],
            self.counts[kept],
            self.lengths[numbers],
        )


def count_terms(documents: Iterable[Iterable[str]]) -> Postings:
    """Return the postings of documents, each given as its terms."""
    rows: dict[str, int] = {}
    found, counts, sizes, lengths = array("q"), array("H"), array("q"), array("f")
    for terms in documents:
        counter = Counter(terms)
        found.extend([rows.setdefault(term, len(rows)) for term in counter])
        counts.extend([min(count, MOST) for count in counter.values()])
        sizes.append(len(counter))
        lengths.append(counter.total())
    order = np.argsort(np.array(found, np.int64), kind="stable")
    owners = np.repeat(np.arange(len(sizes), dtype=np.int32), np.array(sizes, np.int64))
    bounds = np.concatenate([[0], np.cumsum(np.bincount(found, minlength=len(rows)))])
    return Postings(
        rows,
        bounds.astype(np.int64),
        owners[order],
        np.array(counts, np.uint16)[order],
        np.array(lengths, np.float32),
    )


def join(parts: Sequence[Postings]) -> Postings:
    """Return the documents of all parts, numbered one part after the other."""
    if len(parts) == 1:
        return parts[0]
    rows: dict[str, int] = {}
    places = [
        np.array([rows.setdefault(term, len(rows)) for term in part.rows], np.int64)
        for part in parts
    ]
    sizes = np.zeros(len(rows), np.int64)
    for part, place in zip(parts, places, strict=True):
        sizes[place] += np.diff(part.bounds)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    documents, counts = np.empty(bounds[-1], np.int32), np.empty(bounds[-1], np.uint16)
    free, number = bounds[:-1].copy(), 0  # where the next posting of each row goes
    for part, place in zip(parts, places, strict=True):
        sizes = np.diff(part.bounds)
        targets = np.repeat(free[place] - part.bounds[:-1], sizes) + np.arange(part.bounds[-1])
        documents[targets] = part.documents + np.int32(number)
        counts[targets] = part.counts
        free[place] += sizes
        number += len(part)
    lengths = np.concatenate([np.zeros(0, np.float32), *(part.lengths for part in parts)])
    return Postings(rows, bounds, documents, counts, lengths)


class LexicalIndex:
    """The terms of documents, which have numbers from 0 on in the order they are added."""

    def __init__(self, background: Postings, parts: Sequence[Postings] = ()) -> None:
        """Index documents.

        Args:
            background: What documents are like as a rule: these count for BACKGROUND of them in
                what is rare and what is long, for with a few alone nothing would be.
            parts: The documents, numbered one part after the other.

        """
        self.parts = tuple(parts)
        self._size = sum(map(len, parts))
        self._background = background
        self._share = BACKGROUND / max(1, len(background))  # what each of these counts for
        terms = sum(float(part.lengths.sum()) for part in parts)
        terms += self._share * float(background.lengths.sum())
        self._mean = max(1.0, terms) / max(1, self._size + self._share * len(background))

    def __len__(self) -> int:
        """Return how many documents there are."""
        return self._size

    def extend(self, part: Postings) -> "LexicalIndex":
        """Return an index that has further documents, with the next numbers."""
        parts = [*self.parts, part]
        # Each part is more than twice as large as the next: there are few, and few are joined.
        while len(parts) > 1 and len(parts[-2]) <= 2 * len(parts[-1]):
            parts[-2:] = [join(parts[-2:])]
        return LexicalIndex(self._background, parts)

    def gather(self) -> Postings:
        """Return the postings of all documents."""
        return join(self.parts)

    def score(self, terms: Iterable[str]) -> Scores:
        """Return what each document has in common with a query of these terms.

        Args:
            terms: The query's terms; how often one occurs does not matter.

        Returns:
            A score for each document, of shape (documents,), from 0 on. A term that no other
            document has counts 1, at the most K1 + 1 times, however many documents there are.

        """
        wanted = list(dict.fromkeys(terms))
        spans = [part.locate(wanted) for part in self.parts]
        found = self._share * np.diff(self._background.locate(wanted))[:, 0]
        found += sum(np.diff(span)[:, 0] for span in spans)
        size = self._size + self._share * len(self._background)
        weights = np.log(1 + (size - found + 0.5) / (found + 0.5)) / math.log(size + 1.5)
        weights *= K1 + 1
        scores = [
            part.score(span, weights, self._mean)
            for part, span in zip(self.parts, spans, strict=True)
        ]
        return np.concatenate([np.zeros(0, np.float32), *scores])
