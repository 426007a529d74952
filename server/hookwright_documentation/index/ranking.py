"""Rank passages by the evidence for each, with the weights of a preset."""

import re
from dataclasses import dataclass

import numpy as np

from hookwright_documentation.index.evidence import Evidence, expand
from hookwright_documentation.index.terms import list_terms
from hookwright_documentation.search_limits import MAX_QUERY
from hookwright_retrieval.arrays import Integers, Scores, find_best, round_scores, sort_best
from hookwright_retrieval.bm25 import BM25Index, Postings, count_terms
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.second_look import TokenVectors, load_wordllama_table
from hookwright_retrieval.vector_index import VectorIndex

CANDIDATES = 100  # passages that get a second look
ABOUT_CHANGES = re.compile(
    r"change-?log|what.?s.?new|release.?notes|(new|added|changed|removed|deprecated) in|upgrad"
    r"|migrat",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Weights:
    """The weights of the evidence for a passage; the BM25 score of its words has the weight 1.

    Args:
        page: Of the BM25 score of its page.
        links: Of the BM25 score of the links to it.
        popularity: Of the logarithm of 1 + the number of links to it.
        similarity: Of the standardised cosine of its vector and the query's, unless the query is a
            name that the documentation has.
        second_look: Of the mean cosine of the query's tokens and its nearest ones.
        changes: Of being about changes between versions, where the query is not.

    """

    page: float = 0.2
    links: float = 0.0
    popularity: float = 0.0
    similarity: float = 0.0
    second_look: float = 0.0
    changes: float = -0.5


VECTORS = {"similarity": 0.2, "second_look": 1.5}
PRESETS = {  # vectors add to the scores, so popularity needs more to tell
    "links and vectors": Weights(links=0.2, popularity=0.25, **VECTORS),
    "vectors": Weights(**VECTORS),
    "links": Weights(links=0.2, popularity=0.15),
    "words": Weights(),
}
DEFAULT = next(iter(PRESETS))


class PassageRanker:
    """Ranks the passages of one documentation, for any number of threads."""

    def __init__(self, evidence: Evidence, weights: Weights) -> None:
        """Prepare to rank.

        Args:
            evidence: The evidence; what has no weight may be missing.
            weights: The weight of each kind.

        """
        self._weights = weights
        self._page_numbers = evidence.page_numbers
        self._words, self._pages = index_terms(evidence.words), index_terms(evidence.pages)
        self._links = index_terms(evidence.links)
        self._tokens = evidence.tokens
        self._changes = weights.changes * evidence.changes.astype(np.float32)
        self._popularity = weights.popularity * np.asarray(evidence.popularity)
        if weights.similarity:
            vectors = expand(evidence.vectors)
            self._vectors = VectorIndex(vectors.sum(axis=0) / max(1, len(vectors))).extend(vectors)
            self._embedder = WordLlamaEmbedder()
        if weights.second_look:
            self._token_vectors = TokenVectors(load_wordllama_table())

    def rank(self, query: str, top_k: int) -> list[tuple[int, float]]:
        """Return the best passages, one a page, and their scores.

        Args:
            query: Any text.
            top_k: How many to return at most.

        """
        query = query[:MAX_QUERY]
        if not query.strip() or not len(self._words) or top_k < 1:
            return []
        scores = round_scores(self.score(query))
        best = find_best(scores, max(CANDIDATES, top_k))
        if self._weights.second_look:
            looks = self._token_vectors.score(query, self._tokens.select(best))
            scores[best] = round_scores(scores[best] + self._weights.second_look * looks)
        chosen = self._choose_pages(best[sort_best(scores[best])], top_k)
        if len(chosen) < top_k:  # the candidates are of a few long pages
            rest = scores.copy()
            rest[np.isin(self._page_numbers, self._page_numbers[chosen])] = -np.inf
            others = np.flatnonzero(np.isfinite(rest))
            others = others[sort_best(rest[others])]
            chosen += self._choose_pages(others, top_k - len(chosen))
        return [(number, float(scores[number])) for number in chosen]

    def score(self, query: str) -> Scores:
        """Return the score of each passage before the second look; -inf where nothing fits."""
        weights, terms = self._weights, list_terms(query)
        words = self._words.score(terms)
        scores = words + weights.page * self._pages.score(terms)[self._page_numbers]
        if weights.links:
            scores += weights.links * self._links.score(terms)
        nothing = scores <= 0
        scores += self._popularity
        if not ABOUT_CHANGES.search(query):
            scores += self._changes
        if weights.similarity and (is_question(query) or nothing.all()):
            scores += weights.similarity * standardise(
                self._vectors.score(self._embedder.embed_query(query))
            )
        else:
            scores[nothing] = -np.inf
        result: Scores = scores
        return result

    def _choose_pages(self, ordered: Integers, top_k: int) -> list[int]:
        chosen: dict[int, int] = {}
        for number in ordered.tolist():
            chosen.setdefault(int(self._page_numbers[number]), number)
            if len(chosen) == top_k:
                break
        return list(chosen.values())


def index_terms(postings: Postings) -> BM25Index:
    return BM25Index(count_terms([])).extend(postings)


def is_question(query: str) -> bool:
    """Return whether a query is more than a name; a name's syllables mean nothing."""
    return len(query.split()) > 1


def standardise(scores: Scores) -> Scores:
    """Return scores with the mean 0 and the deviation 1, or 0 if all are the same."""
    standard: Scores = (scores - scores.mean()) / max(float(scores.std()), 1e-6)
    return standard
