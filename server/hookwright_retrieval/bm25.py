"""Score documents by the terms that they share with a query.

BM25 after S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework" (2009), section 3,
with term weights that are never negative. An index is immutable and made of parts: queries read one
while the next is built.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import Integers, Scores, list_ranges

K1 = 1.2  # how quickly repetitions of a term stop counting
B = 0.75  # how strongly long documents are penalised
BACKGROUND = 100  # documents
MAX_COUNT = 65_535  # of a term in a document


@dataclass(frozen=True)
class Postings:
    """The postings of documents, which are numbered from 0.

    Args:
        rows: The row of each term, in order.
        bounds: The start of each row's postings, and the end of the last, of shape (terms + 1,).
        documents: The document of each posting, of shape (postings,), in any integer type.
        counts: How often the term occurs in the document, of shape (postings,).
        lengths: The number of terms of each document, of shape (documents,).

    """

    rows: Mapping[str, int]
    bounds: Integers
    documents: npt.NDArray[np.integer[Any]]
    counts: npt.NDArray[np.uint16]
    lengths: Scores

    def __len__(self) -> int:
        return len(self.lengths)

    def find_rows(self, terms: Collection[str]) -> Integers:
        """Return the row of each term, of shape (terms,); -1 for one that does not occur."""
        return np.fromiter(map(self.rows.get, terms, repeat(-1)), np.int64, len(terms))

    def count_documents(self) -> Integers:
        """Return in how many documents each row's term occurs, then 0 for row -1: (terms + 1,)."""
        return np.append(np.diff(self.bounds), 0)

    def damp(self, mean: float) -> Scores:
        """Return what damps repetitions in each document, of shape (documents,).

        Args:
            mean: The mean length of documents.

        """
        return K1 * (1 - B) + K1 * B / mean * self.lengths

    def score(self, starts: Integers, sizes: Integers, weights: Scores, damping: Scores) -> Scores:
        """Return the scores of the documents, of shape (documents,).

        Args:
            starts: Where the postings of each of the query's terms begin, of shape (terms,).
            sizes: How many there are.
            weights: The weight of each term.
            damping: What `damp` returns.

        """
        places = [slice(0), *map(slice, starts.tolist(), (starts + sizes).tolist())]
        # In the types that the steps below would convert them to.
        documents = np.concatenate([self.documents[p] for p in places], dtype=np.int64)
        shares = np.concatenate([self.counts[p] for p in places], dtype=np.float32)
        damped = damping.take(documents)
        damped += shares
        shares /= damped
        shares *= weights.repeat(sizes)
        scores: Scores = np.zeros(len(self), np.float32)
        np.add.at(scores, documents, shares)
        return scores

    def select(self, numbers: Integers) -> "Postings":
        """Return the documents with these numbers, renumbered in this order."""
        places = np.full(len(self), -1, np.int64)
        places[numbers] = np.arange(len(numbers))
        documents = places[self.documents]
        selected = documents >= 0
        bounds = np.concatenate([[0], np.cumsum(selected)])[self.bounds]
        filled = np.diff(bounds) > 0
        terms = (term for term, some in zip(self.rows, filled, strict=True) if some)
        return Postings(
            {term: row for row, term in enumerate(terms)},
            np.concatenate([[0], bounds[1:][filled]]),
            documents[selected].astype(find_type(len(numbers))),
            self.counts[selected],
            self.lengths[numbers],
        )


class Rows(dict[str, int]):
    """The row of each term, in the order they are first asked for."""

    def __missing__(self, term: str) -> int:
        self[term] = row = len(self)
        return row


def count_terms(documents: Iterable[Iterable[str]]) -> Postings:
    """Return the postings of documents, each an iterable of its terms."""
    rows, found, lengths = Rows(), array("q"), array("q")
    for terms in documents:
        before = len(found)
        found.extend(map(rows.__getitem__, terms))
        lengths.append(len(found) - before)
    sizes = np.array(lengths, np.int64)
    # Sorted by row and then by document, equal ones are next to each other: one posting.
    owners = np.repeat(np.arange(len(sizes)), sizes)
    keys, counts = np.unique(np.array(found, np.int64) * len(sizes) + owners, return_counts=True)
    terms_of_keys, documents_of_keys = np.divmod(keys, max(1, len(sizes)))
    bounds = np.concatenate([[0], np.cumsum(np.bincount(terms_of_keys, minlength=len(rows)))])
    return Postings(
        dict(rows),
        bounds.astype(np.int64),
        documents_of_keys.astype(find_type(len(sizes))),
        np.minimum(counts, MAX_COUNT).astype(np.uint16),
        sizes.astype(np.float32),
    )


def find_type(documents: int) -> type[np.uint16 | np.int32]:
    """Return the smallest type that numbers so many documents."""
    return np.uint16 if documents <= np.iinfo(np.uint16).max + 1 else np.int32


def join(parts: Sequence[Postings]) -> Postings:
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
    documents = np.empty(bounds[-1], find_type(sum(map(len, parts))))
    counts = np.empty(bounds[-1], np.uint16)
    free, number = bounds[:-1].copy(), 0  # the place of each row's next posting
    for part, place in zip(parts, places, strict=True):
        sizes = np.diff(part.bounds)
        targets, _ = list_ranges(free[place], sizes)
        documents[targets] = part.documents.astype(documents.dtype) + number
        counts[targets] = part.counts
        free[place] += sizes
        number += len(part)
    lengths = np.concatenate([np.zeros(0, np.float32), *(part.lengths for part in parts)])
    return Postings(rows, bounds, documents, counts, lengths)


@dataclass(frozen=True)
class Part:
    """Some documents of an index, and how often the terms of their rows occur.

    Args:
        postings: The postings of the documents.
        frequencies: In how many of them each term occurs, of shape (terms + 1,): 0 at the end, for
            a term that does not, whose row is -1.
        typical: In how many documents of the background it occurs, in the same shape.

    """

    postings: Postings
    frequencies: Integers
    typical: Integers

    def __len__(self) -> int:
        return len(self.postings)


class BM25Index:
    """The terms of documents, which are numbered from 0 in the order they are added."""

    def __init__(self, background: Postings, parts: Sequence[Part] = ()) -> None:
        """Index documents.

        Args:
            background: Typical documents. They count as BACKGROUND documents for the frequency of
                terms and the mean length, which a few documents alone do not tell.
            parts: Those of another index, whose documents are numbered part after part.

        """
        self.parts = tuple(parts)
        self._size = sum(map(len, parts))
        self._background = background
        self._share = BACKGROUND / max(1, len(background))  # the weight of each background document
        terms = sum(float(part.postings.lengths.sum()) for part in parts)
        terms += self._share * float(background.lengths.sum())
        mean = max(1.0, terms) / max(1, self._size + self._share * len(background))
        self._damping = [part.postings.damp(mean) for part in parts]

    def __len__(self) -> int:
        return self._size

    def extend(self, postings: Postings) -> "BM25Index":
        """Return an index with more documents, which get the next numbers."""
        parts = list(self.parts)
        # Each part stays more than twice as large as the next: few parts, and few joins.
        while parts and len(parts[-1]) <= 2 * len(postings):
            postings = join([parts.pop().postings, postings])
        typical = self._background.count_documents().take(self._background.find_rows(postings.rows))
        part = Part(postings, postings.count_documents(), np.append(typical, 0))
        return BM25Index(self._background, [*parts, part])

    def gather(self) -> Postings:
        """Return the postings of all documents."""
        return join([part.postings for part in self.parts])

    def score(self, terms: Iterable[str], most: int | None = None) -> Scores:
        """Score the documents for a query.

        Args:
            terms: The query's terms; repetitions do not matter.
            most: The maximum number of postings to read, those of the rarest terms; None for all.

        Returns:
            The scores, 0 or more, of shape (documents,). A term that occurs in one document alone
            has the weight 1, times K1 + 1 at most, regardless of the number of documents.

        """
        wanted = dict.fromkeys(terms)
        rows = [part.postings.find_rows(wanted) for part in self.parts]
        found, typical = np.zeros((2, len(wanted)), np.int64)
        for part, places in zip(self.parts, rows, strict=True):
            found += part.frequencies.take(places)
            np.maximum(typical, part.typical.take(places), out=typical)
        kept = keep_rarest(found, most)
        frequencies = found[kept] + self._share * typical[kept]
        size = self._size + self._share * len(self._background)
        weights = np.log(1 + (size - frequencies + 0.5) / (frequencies + 0.5))
        weights = ((K1 + 1) / math.log(size + 1.5) * weights).astype(np.float32)
        scores = [np.zeros(0, np.float32)]
        for part, damping, places in zip(self.parts, self._damping, rows, strict=True):
            starts = part.postings.bounds.take(places[kept])
            sizes = part.frequencies.take(places[kept])
            scores.append(part.postings.score(starts, sizes, weights, damping))
        return np.concatenate(scores)


def keep_rarest(frequencies: Integers, most: int | None) -> Integers:
    """Return which terms occur, in order: the rarest that together occur at most so often.

    Args:
        frequencies: How often each term occurs, of shape (terms,).
        most: The maximum for all together; None for all terms that occur.

    """
    if most is not None and frequencies.sum() > most:
        rarest = np.argsort(frequencies, kind="stable")
        kept = np.sort(rarest[np.cumsum(frequencies[rarest]) <= most])
        return kept[frequencies[kept] > 0]
    return np.flatnonzero(frequencies)
