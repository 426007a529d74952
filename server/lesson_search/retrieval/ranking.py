"""Rank lessons by how much they matter to a prompt.

Four kinds of evidence count: the similarity of the prompt's vector to the lesson's or to that of
one of its passages, shared words, shared character n-grams, and, for the best by these, how near
the tokens of the two are to each other, where those of the lesson's opening count twice.

Which lesson comes first, and whether any is relevant, are two questions, and evidence has two
weights. By the first, which suit texts of all kinds, lessons are put in order. The others are
fitted to labelled lessons, so that a score is the probability, from 0 to 1, that the lesson is
relevant: scores of different prompts are comparable, and one threshold fits all.
"""

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import Integers, Scores, find_best, sort_best
from hookwright_retrieval.bm25 import BM25Index, Postings, count_terms
from hookwright_retrieval.embedders import Embedder, Vectors
from hookwright_retrieval.second_look import NO_TOKENS, TokenLists
from hookwright_retrieval.terms import list_grams, list_words
from hookwright_retrieval.vector_index import NO_VECTORS, VectorIndex
from lesson_search.retrieval.background_corpus import load_background
from lesson_search.retrieval.calibration import Calibration, Floats
from lesson_search.retrieval.lesson_tokens import load_token_vectors
from lesson_search.retrieval.similarity import SimilarityIndex

PASSAGE = 400  # characters; longer lessons are also compared passage by passage
NEAR = 150  # lessons whose vectors are compared in all dimensions: the best by the first ones
ONE_IN = 60  # ... or one lesson in so many, where that is more
READ = 5_000  # postings of n-grams that are read: those of the rarest, which tell most
READ_ONE_IN = 2  # ... or one for so many lessons, where that is more
CANDIDATES = 50  # best lessons by the other evidence, whose tokens are compared
OPENING = 2  # sentences: they tell when a lesson helps, the others what to do then
MIN_SENTENCE = 16  # characters; "Note:" does not count as one
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")
MAX_EVIDENCE = 500.0  # its exponential is still a finite number
MAX_PROMPT = 4_000  # characters: the first and the last half of them are compared


@dataclass(frozen=True)
class Hit:
    """The number of a lesson, and its score from 0 to 1."""

    number: int
    score: float


@dataclass(frozen=True)
class Evidence:
    """What speaks for a lesson, as much as it counts: lessons are put in order by the sum.

    Args:
        similarity: How near the vectors of the prompt and the lesson are.
        words: The words that both have.
        grams: The sequences of characters that both have.
        tokens: How near the tokens of the two are to each other.

    """

    similarity: float
    words: float
    grams: float
    tokens: float


@dataclass(frozen=True)
class IndexData:
    """The data that lessons are ranked by; it is computed from their texts and can be cached.

    Args:
        words: The words of the lessons, which are numbered from 0.
        grams: Their character n-grams.
        tokens: Their tokens, of each lesson those of its opening and then the others.
        wholes: Their vectors, of shape (lessons, dimensions).
        passages: The vectors of long lessons' passages, of shape (passages, dimensions).
        owners: The number of each passage's lesson, of shape (passages,).

    """

    words: Postings
    grams: Postings
    tokens: TokenLists
    wholes: Vectors
    passages: Vectors
    owners: Integers

    def __len__(self) -> int:
        return len(self.words)

    def select(self, numbers: Integers) -> "IndexData":
        """Return the lessons with these numbers, renumbered in this order."""
        if np.array_equal(numbers, np.arange(len(self))):
            return self
        places = np.full(len(self), -1, np.int64)
        places[numbers] = np.arange(len(numbers))
        owners = places[self.owners]
        # Passages are ordered by lesson; those of other lessons come first, and are dropped.
        selected = np.argsort(owners, kind="stable")[np.count_nonzero(owners < 0) :]
        return IndexData(
            self.words.select(numbers),
            self.grams.select(numbers),
            self.tokens.select_parts(numbers),
            self.wholes[numbers],
            self.passages[selected],
            owners[selected],
        )


class Ranker:
    """Ranks lessons, which are numbered from 0 in the order they are added."""

    def __init__(self, embedder: Embedder, calibration: Calibration) -> None:
        """Start without lessons.

        Args:
            embedder: Embeds lessons and prompts.
            calibration: The calibration of the embedder.

        """
        self._embedder = embedder
        self._calibration = calibration
        background = load_background()
        self._words = BM25Index(background.words)
        self._grams = BM25Index(background.grams)
        self._tokens = NO_TOKENS
        mean_vector = np.array(calibration.mean_vector, np.float32)
        none = VectorIndex(mean_vector, coarse=embedder.coarse_dimensions)
        self._similarity = SimilarityIndex(none, none, np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self._words)

    def add(self, texts: Sequence[str], vectors: Vectors | None = None) -> None:
        """Add lessons, which get the next numbers.

        Args:
            texts: The texts of the lessons.
            vectors: Their vectors if known, of shape (texts, dimensions).

        """
        if vectors is None:
            vectors = self._embedder.embed_documents(texts)
        self.extend(build_index_data(texts, vectors, self._embedder))

    def extend(self, index_data: IndexData) -> None:
        """Add lessons by their index data; they get the next numbers."""
        self._similarity = self._similarity.extend(
            index_data.wholes, index_data.passages, index_data.owners
        )
        self._words = self._words.extend(index_data.words)
        self._grams = self._grams.extend(index_data.grams)
        self._tokens = self._tokens.extend(index_data.tokens)

    def copy(self) -> "Ranker":
        """Return a ranker of the same lessons; only one of the two may be extended."""
        return copy.copy(self)

    def select(self, numbers: Integers) -> "Ranker":
        """Return a ranker of the lessons with these numbers, renumbered in this order."""
        selected = Ranker(self._embedder, self._calibration)
        selected.extend(self.gather().select(numbers))
        return selected

    def gather(self) -> IndexData:
        """Return the index data of all lessons."""
        return IndexData(
            self._words.gather(),
            self._grams.gather(),
            self._tokens,
            self._similarity.wholes.vectors,
            self._similarity.passages.vectors,
            self._similarity.owners,
        )

    def rank(
        self,
        prompt: str,
        most: int,
        least_score: float = 0.0,
        among: npt.NDArray[np.bool_] | None = None,
    ) -> list[Hit]:
        """Return the lessons that matter most to a prompt, best first.

        Args:
            prompt: The prompt; only the beginning and the end of a very long one count.
            most: The maximum number of lessons.
            least_score: The minimum score, from 0 to 1.
            among: Which lessons to consider, of shape (lessons,); None for all.

        """
        if not len(self):
            return []
        order, prompt = self._calibration.order, shorten(prompt)
        similarity = self._similarity.compare(self._embedder.embed_query(prompt))
        words, grams = self._score_terms(prompt)
        terms = order.words * words + order.grams * grams
        likely = terms + order.similarity * similarity.estimate()
        if among is not None:
            likely[~among] = -np.inf
        near = find_best(likely, max(NEAR, len(self) // ONE_IN, most))
        similar = similarity.score(near)
        best = find_best(terms[near] + order.similarity * similar, max(CANDIDATES, most))
        near = near[best]
        evidence = np.empty((len(near), 4))
        evidence[:, 0], evidence[:, 1], evidence[:, 2] = similar[best], words[near], grams[near]
        evidence[:, 3] = self._compare_tokens(prompt, near)
        first = sort_best(order.weigh(evidence))
        scores = score_in_order(self._calibration.weights.weigh(evidence[first]))
        hits = zip(near[first[:most]].tolist(), scores[:most].tolist(), strict=True)
        return [Hit(number, score) for number, score in hits if score >= least_score]

    def weigh(self, prompt: str, numbers: Integers) -> list[Evidence]:
        """Return what speaks for some lessons; the higher its sum, the earlier each comes."""
        order = self._calibration.order
        similarity, words, grams, tokens = self.list_evidence(prompt, numbers)
        columns = (
            order.similarity * similarity,
            order.words * words,
            order.grams * grams,
            order.tokens * tokens,
        )
        return [Evidence(*row) for row in np.stack(columns, axis=1).tolist()]

    def list_evidence(
        self, prompt: str, numbers: Integers
    ) -> tuple[Scores, Scores, Scores, Scores]:
        """Return the similarity, words, n-grams and tokens evidence of some lessons.

        Args:
            prompt: The prompt.
            numbers: The numbers of the lessons, of shape (numbers,).

        Returns:
            The evidence, each of shape (numbers,).

        """
        prompt = shorten(prompt)
        similarity = self._similarity.compare(self._embedder.embed_query(prompt)).score(numbers)
        words, grams = self._score_terms(prompt)
        return similarity, words[numbers], grams[numbers], self._compare_tokens(prompt, numbers)

    def _score_terms(self, prompt: str) -> tuple[Scores, Scores]:
        words = self._words.score(list_words(prompt))
        grams = self._grams.score(list_grams(prompt), max(READ, len(self) // READ_ONE_IN))
        return np.sqrt(words), np.sqrt(grams)

    def _compare_tokens(self, prompt: str, numbers: Integers) -> Scores:
        return load_token_vectors().score_openings(prompt, self._tokens.select_parts(numbers))


def score_in_order(odds: Floats) -> Floats:
    """Return the scores of lessons that are in order: none is lower than one that comes later.

    Args:
        odds: The log odds that each is relevant, of shape (lessons,).

    """
    highest = np.maximum.accumulate(odds[::-1])[::-1]
    scores: Floats = 1 / (1 + np.exp(-np.clip(highest, -MAX_EVIDENCE, MAX_EVIDENCE)))
    return scores


def build_index_data(
    texts: Sequence[str], vectors: Vectors, embedder: Embedder | None
) -> IndexData:
    """Return the index data of lessons.

    Args:
        texts: The texts of the lessons.
        vectors: Their vectors, of shape (texts, dimensions).
        embedder: Embeds passages; None to leave passages out.

    """
    passages = [
        (number, passage) for number, text in enumerate(texts) for passage in split_passages(text)
    ]
    if embedder is None or not passages:
        passages, embedded = [], NO_VECTORS
    else:
        embedded = embedder.embed_documents([passage for _, passage in passages])
    return IndexData(
        count_terms(map(list_words, texts)),
        count_terms(map(list_grams, texts)),
        load_token_vectors().list_tokens_in_parts((take_opening(text), text) for text in texts),
        vectors,
        embedded,
        np.array([number for number, _ in passages], np.int64),
    )


def split_passages(text: str) -> list[str]:
    """Return the paragraphs of a long lesson with several, else nothing."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    return paragraphs if len(text) > PASSAGE and len(paragraphs) > 1 else []


def take_opening(text: str) -> str:
    """Return the first sentences of a lesson."""
    sentences = [part for part in SENTENCE_END.split(text) if len(part) >= MIN_SENTENCE]
    return " ".join(sentences[:OPENING]) or text


def shorten(prompt: str) -> str:
    """Return a prompt without its middle if it is very long."""
    half = MAX_PROMPT // 2
    return prompt if len(prompt) <= MAX_PROMPT else f"{prompt[:half]} {prompt[-half:]}"
