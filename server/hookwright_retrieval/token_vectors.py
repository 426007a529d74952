"""Compare a first search's results with the query, token by token.

A mean vector represents a document's subject, but not the statements in it. Here, each token of a
query is compared with the most similar token of a document. This uses token vectors, regardless of
the embedder used for the first search. The method is late interaction (O. Khattab and M. Zaharia,
"ColBERT", 2020).
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import (
    TINY,
    Integers,
    Numbers,
    Scores,
    multiply_rows,
    shrink,
    widen,
)
from hookwright_retrieval.embedders import Vectors, make_plain
from hookwright_retrieval.embedders.wordllama import load_tokenizer, load_vectors

VOCABULARY = 32_000  # tokens
MAX_TOKENS = 64  # maximum number of query tokens; the most informative ones are used
MIN_COSINE = -1.0
PARTS = 8  # the vocabulary is converted in this many parts to save memory


@dataclass(frozen=True)
class TokenLists:
    """Each document's distinct tokens; documents are numbered from 0."""

    # All documents' tokens, concatenated, of shape (tokens,).
    tokens: npt.NDArray[np.unsignedinteger[Any]]
    # The bounds of each document's tokens, of shape (documents + 1,).
    bounds: Integers

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def extend(self, others: "TokenLists") -> "TokenLists":
        """Return both objects' documents; those from `others` follow with the next numbers."""
        bounds = np.concatenate([self.bounds, others.bounds[1:] + self.bounds[-1]])
        return TokenLists(np.concatenate([self.tokens, others.tokens]), bounds)

    def select(self, numbers: Integers) -> "TokenLists":
        """Return the documents with the given numbers, renumbered in the given order."""
        sizes = np.diff(self.bounds)[numbers]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(self.bounds[numbers] - bounds[:-1], sizes) + np.arange(bounds[-1])
        return TokenLists(self.tokens[places], bounds)

    def select_parts(self, numbers: Integers) -> "TokenLists":
        """Return both token lists of the texts with these numbers; see `list_tokens_in_parts`."""
        return self.select(np.stack([2 * numbers, 2 * numbers + 1], axis=1).reshape(-1))


def join(
    lists: Iterable[AbstractSet[int]], kind: type[np.uint16 | np.uint32] = np.uint16
) -> TokenLists:
    """Join token lists in the given number type, which must fit them."""
    parts = [np.array(sorted(tokens), kind) for tokens in lists]
    sizes = np.array([len(part) for part in parts], np.int64)
    tokens = np.concatenate([np.zeros(0, kind), *parts])
    return TokenLists(tokens, np.concatenate([[0], np.cumsum(sizes)]))


@dataclass(frozen=True)
class TokenTable:
    """The vector of each WordLlama token, and two weights."""

    vectors: Numbers  # vectors of any length, of shape (tokens, dimensions)
    query_weights: Scores  # weight of each token in a query, positive, of shape (tokens,)
    document_weights: Scores  # weight in a document, positive, of shape (tokens,)


def load_wordllama_table() -> TokenTable:
    """Return WordLlama's own vectors, whose lengths are the token weights."""
    vectors = load_vectors()
    lengths = measure_lengths(vectors)
    # A comparison reads thousands of rows, and bytes take a third of the time that 16-bit floats
    # take.
    small = [shrink(widen(rows))[0] for rows in np.array_split(vectors, PARTS)]
    return TokenTable(np.concatenate(small), lengths, lengths)


def measure_lengths(vectors: Numbers) -> Scores:
    """Return each vector's length, always positive, of shape (vectors,)."""
    squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32)
    lengths: Scores = np.sqrt(np.maximum(squares, TINY**2))
    return lengths


class TokenVectors:
    """Compares queries with documents by token vectors."""

    def __init__(self, table: TokenTable) -> None:
        self._tokenizer = load_tokenizer()
        self._table = table
        self._lengths = measure_lengths(table.vectors)

    def list_tokens(self, texts: Sequence[str]) -> TokenLists:
        return join(map(self._list_different, texts))

    def list_tokens_in_parts(self, parts: Iterable[tuple[str, str]]) -> TokenLists:
        """Return two token lists per text: the opening's tokens, and the remaining ones."""
        sets = (
            (self._list_different(opening), self._list_different(text)) for opening, text in parts
        )
        return join(part for first, whole in sets for part in (first, whole - first))

    def score(self, query: str, documents: TokenLists) -> Scores:
        """Return the mean cosine between a query's tokens and each document's nearest tokens.

        The mean is 1 for a document that contains all query tokens, and 0 if none is similar; the
        shape is (documents,).
        """
        weights, there, _, totals = self._compare(query, documents)
        return average(weights, there, totals)

    def score_openings(self, query: str, parts: TokenLists) -> Scores:
        """Score texts by the mean of their opening's score and the whole text's, of shape (texts,).

        Both scores are the result of `score`, multiplied by the similarity of the document's tokens
        to the query.
        """
        weights, there, back, totals = self._compare(query, parts)
        # Turn the second document of each pair into the whole text.
        np.maximum(there[1::2], there[::2], out=there[1::2])
        back[1::2] += back[::2]
        totals[1::2] += totals[::2]
        scores = average(weights, there, totals)
        scores *= back / np.maximum(totals, np.float32(TINY))
        means: Scores = scores.reshape(-1, 2).mean(axis=1)
        return means

    def _list_different(self, text: str) -> set[int]:
        return set(self._tokenizer.split(make_plain(text)))

    def _compare(self, query: str, documents: TokenLists) -> tuple[Scores, Vectors, Scores, Scores]:
        """Compare the tokens of a query and of documents.

        Returns:
            The weight of each query token; the cosine between each query token and each document's
            nearest token, of shape (documents, tokens); the weighted sum of the cosines between
            each document's tokens and the query's nearest tokens; and the total weight of each
            document's tokens.

        """
        wanted = np.array(sorted(self._list_different(query)), np.int64)
        weights = self._table.query_weights
        wanted = wanted[np.argsort(-weights[wanted], kind="stable")[:MAX_TOKENS]]
        weights = weights[wanted]
        there = np.full((len(documents), len(wanted)), MIN_COSINE, np.float32)
        back, total = np.zeros((2, len(documents)), np.float32)
        if len(wanted) and len(documents.tokens):
            # The product is computed once per distinct token, because most occur repeatedly.
            places = np.zeros(VOCABULARY, np.int64)
            places[documents.tokens] = 1
            different = np.flatnonzero(places)
            places[different] = np.arange(len(different))
            places = places.take(documents.tokens)
            their_weights = self._table.document_weights[different]
            directions = self._take(wanted) / self._lengths[wanted, None]
            cosines = self._take(different) @ directions.T
            cosines /= self._lengths[different, None]
            nearest = np.ascontiguousarray(cosines.T).max(axis=0)  # three times as fast as by rows
            filled = np.flatnonzero(np.diff(documents.bounds))
            starts = documents.bounds[filled]
            there[filled] = np.maximum.reduceat(cosines.take(places, axis=0), starts, axis=0)
            back[filled] = np.add.reduceat((nearest * their_weights)[places], starts)
            total[filled] = np.add.reduceat(their_weights[places], starts)
        return weights, there, back, total

    def _take(self, tokens: Integers) -> Vectors:
        return widen(self._table.vectors.take(tokens, axis=0))


def average(weights: Scores, cosines: Vectors, totals: Scores) -> Scores:
    """Return each row's weighted mean, or 0 for a document without tokens."""
    shares = weights / max(float(weights.sum()), TINY)
    means: Scores = np.where(totals > 0, multiply_rows(cosines, shares), 0)
    return means
