"""Look again at the documents that a first search found, token by token.

A mean vector tells what a document is about, but not what it says. Here each token of a query is
compared with the nearest one of a document, by WordLlama's vectors of tokens, whatever embedder
the first search used. (The late interaction of O. Khattab and M. Zaharia, "ColBERT", 2020.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.bm25 import Integers
from hookwright_retrieval.embedders import make_plain
from hookwright_retrieval.embedders.wordllama import load_tokenizer, load_vectors
from hookwright_retrieval.vector_index import Scores

VOCABULARY = 32_000  # tokens
MOST_TOKENS = 64  # of a query: those that tell most


@dataclass(frozen=True)
class TokenLists:
    """The tokens of documents, which are numbered from 0; each token once a document.

    Args:
        tokens: The tokens of all documents, one document after another, of shape (tokens,).
        bounds: The start of each document's tokens, and the end of the last, of shape
            (documents + 1,).

    """

    tokens: npt.NDArray[np.uint16]
    bounds: Integers

    def __len__(self) -> int:
        """Return how many documents there are."""
        return len(self.bounds) - 1

    def extend(self, others: "TokenLists") -> "TokenLists":
        """Return the documents of both; the others get the next numbers."""
        bounds = np.concatenate([self.bounds, others.bounds[1:] + self.bounds[-1]])
        return TokenLists(np.concatenate([self.tokens, others.tokens]), bounds)

    def select(self, numbers: Integers) -> "TokenLists":
        """Return the documents with these numbers, renumbered in this order."""
        starts = self.bounds[numbers]
        bounds = np.concatenate([[0], np.cumsum(self.bounds[numbers + 1] - starts)])
        places = np.repeat(starts - bounds[:-1], np.diff(bounds)) + np.arange(bounds[-1])
        return TokenLists(self.tokens[places], bounds)


NO_TOKENS = TokenLists(np.zeros(0, np.uint16), np.zeros(1, np.int64))


class TokenVectors:
    """WordLlama's vectors of tokens."""

    def __init__(self) -> None:
        """Load the model, or share the loaded one."""
        self._tokenizer = load_tokenizer()
        self._vectors = load_vectors()
        # The longer its vector, the more a token counts for the mean: rare words most.
        self._lengths = np.maximum(np.linalg.norm(self._vectors, axis=1), 1e-9)

    def list_tokens(self, texts: Sequence[str]) -> TokenLists:
        """Return the tokens of texts."""
        found = [set(self._tokenizer.split(make_plain(text))) for text in texts]
        parts = [np.array(sorted(tokens), np.uint16) for tokens in found]
        sizes = np.array([len(part) for part in parts], np.int64)
        tokens = np.concatenate([NO_TOKENS.tokens, *parts])
        return TokenLists(tokens, np.concatenate([[0], np.cumsum(sizes)]))

    def score(self, query: str, documents: TokenLists) -> Scores:
        """Score documents for a query, by how near its tokens are to theirs.

        Args:
            query: The query.
            documents: The tokens of the documents.

        Returns:
            The mean cosine of the query's tokens and the nearest one of each document, of shape
            (documents,): 1 if it has all of them, 0 if it has no tokens.

        """
        return self._compare(query, documents, both=False)

    def score_both_ways(self, query: str, documents: TokenLists) -> Scores:
        """Score as `score`, times how near the documents' tokens are to the query's in turn."""
        return self._compare(query, documents, both=True)

    def _compare(self, query: str, documents: TokenLists, *, both: bool) -> Scores:
        """Return how near the query's tokens are to the documents', times theirs if wanted."""
        wanted = self.list_tokens([query]).tokens.astype(np.int64)
        wanted = wanted[np.argsort(-self._lengths[wanted], kind="stable")[:MOST_TOKENS]]
        scores: Scores = np.zeros(len(documents), np.float32)
        if not len(wanted) or not len(documents.tokens):
            return scores
        # Many documents share most tokens, so a product for each different one is enough.
        present = np.zeros(VOCABULARY, bool)
        present[documents.tokens] = True
        different = np.flatnonzero(present)
        columns = np.empty(VOCABULARY, np.int64)
        columns[different] = np.arange(len(different))
        places = columns[documents.tokens]
        lengths, their_lengths = self._lengths[wanted], self._lengths[different]
        directions = self._vectors[wanted] / lengths[:, None]
        cosines = directions @ self._vectors.take(different, axis=0).T / their_lengths
        filled = np.flatnonzero(np.diff(documents.bounds))
        starts = documents.bounds[filled]
        nearest = np.maximum.reduceat(cosines.take(places, axis=1), starts, axis=1)
        scores[filled] = (lengths / lengths.sum()) @ nearest
        if both:
            nearest = (cosines.max(axis=0) * their_lengths)[places]
            total = np.add.reduceat(their_lengths[places], starts)
            scores[filled] *= np.add.reduceat(nearest, starts) / total
        return scores


@cache
def load_token_vectors() -> TokenVectors:
    """Return the vectors of tokens, which are loaded once."""
    return TokenVectors()
