"""Rank lessons by how much they matter to a prompt.

Three kinds of evidence count: the similarity of the prompt's vector to the lesson's, where the
rarer tokens of the prompt count more; shared words (BM25); and how near the learned vectors of the
tokens of the two are to each other, where those of the lesson's opening count twice. Each is
standardised over all lessons, and lessons are put in order by the sum.

Whether a lesson is relevant at all is another question. A regression, fitted to labelled lessons,
makes a probability from 0 to 1 of the evidence: scores of different prompts are comparable, and one
threshold fits all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from zlib import crc32

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import (
    Integers,
    Scores,
    find_best,
    list_ranges,
    multiply_rows,
    sort_best,
)
from hookwright_retrieval.embedders import Embedder, Vectors, scale
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.second_look import VOCABULARY, TokenLists, join
from hookwright_retrieval.terms import list_words
from lesson_search.retrieval.calibration import Calibration, EvidenceArray, Floats
from lesson_search.retrieval.lesson_tokens import load_token_vectors

WORDS, TOKENS = 0.5, 1.0  # what words and tokens count, where similarity counts 1
CANDIDATES = 100  # best lessons by similarity and words, whose tokens are compared
SAMPLE = 32  # other lessons whose tokens are compared, to standardise by
LEAST_SPREAD = 1e-3  # of evidence; less is noise
BACKGROUND = 100  # how many lessons the calibration's mean vector counts for
K1, B = 1.2, 0.75  # how long lessons are damped, as usual for BM25
OPENING = 2  # sentences: they tell when a lesson helps, the others what to do then
MIN_SENTENCE = 16  # characters; "Note:" does not count as one
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")
MAX_EVIDENCE = 500.0  # its exponential is still a finite number
QUOTES = " \t\n\"'`“”„«»"  # some clients put what the user typed in quotes
MAX_PROMPT = 4_000  # characters: the first and the last half of them are compared


@dataclass(frozen=True)
class Hit:
    """The number of a lesson, and its score from 0 to 1."""

    number: int
    score: float


@dataclass(frozen=True)
class Evidence:
    """What speaks for a lesson, as much as it counts: lessons are put in order by the sum."""

    similarity: float  # how near the vectors of the prompt and the lesson are
    words: float  # the words that both have
    tokens: float  # how near the tokens of the two are to each other


@dataclass(frozen=True)
class IndexData:
    """The data that lessons are ranked by; it is computed from their texts and can be cached."""

    vectors: Vectors  # the vectors of the lessons, of shape (lessons, dimensions)
    words: TokenLists  # a number for each of their words
    tokens: TokenLists  # their tokens, of each lesson those of its opening and then the others

    def __len__(self) -> int:
        return len(self.words)

    def extend(self, others: "IndexData") -> "IndexData":
        """Return the lessons of both; the others get the next numbers."""
        if not len(self):
            return others
        return IndexData(
            np.concatenate([self.vectors, others.vectors]),
            self.words.extend(others.words),
            self.tokens.extend(others.tokens),
        )

    def select(self, numbers: Integers) -> "IndexData":
        """Return the lessons with these numbers, renumbered in this order."""
        if np.array_equal(numbers, np.arange(len(self))):
            return self
        return IndexData(
            self.vectors[numbers], self.words.select(numbers), self.tokens.select_parts(numbers)
        )

    def score_words(self, prompt: str) -> Scores:
        """Return the BM25 scores of the lessons, each word counted once, of shape (lessons,).

        A word that occurs in one lesson counts about 1, whatever the number of lessons.
        """
        wanted = np.unique(number_words(prompt))
        order, bounds = self._buckets
        buckets = np.unique(wanted.astype(np.uint16)).astype(np.int64)
        starts = bounds[buckets]
        found = order[list_ranges(starts, bounds[buckets + 1] - starts)[0]]
        places = np.searchsorted(wanted, self.words.tokens[found]).clip(max=len(wanted) - 1)
        same = wanted[places] == self.words.tokens[found]
        found, places = found[same], places[same]
        lessons = np.bincount(places, minlength=len(wanted))
        rarity = np.log(1 + (len(self) - lessons + 0.5) / (lessons + 0.5)) / log(len(self) + 1.5)
        sums = np.bincount(self._word_owners[found], rarity[places], len(self))
        scores: Scores = (self._damping * sums).astype(np.float32)
        return scores

    @cached_property
    def rarity(self) -> Scores:
        """How rare each token is among the lessons, of shape (vocabulary,)."""
        lessons = np.bincount(self.tokens.tokens, minlength=VOCABULARY)
        rarity: Scores = np.log((len(self) + 1) / (lessons + 0.5)).astype(np.float32)
        return rarity

    @cached_property
    def _buckets(self) -> tuple[npt.NDArray[np.int32], Integers]:
        """The places of the words by the lower half of their numbers, and where each half begins.

        Sorting by whole numbers would take ten times as long after each change.
        """
        halves = self.words.tokens.astype(np.uint16)
        bounds = np.concatenate([[0], np.cumsum(np.bincount(halves, minlength=2**16))])
        return np.argsort(halves, kind="stable").astype(np.int32), bounds

    @cached_property
    def _damping(self) -> npt.NDArray[np.float64]:
        """What BM25 makes of the words of each lesson, by its length, of shape (lessons,)."""
        lengths = np.diff(self.words.bounds)
        damping = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
        whole: npt.NDArray[np.float64] = (K1 + 1) / (1 + damping)
        return whole

    @cached_property
    def _word_owners(self) -> npt.NDArray[np.int32]:
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.words.bounds))


class Ranker:
    """Ranks lessons, which are numbered from 0 in the order they are added.

    Args:
        embedder: Embeds lessons and prompts.
        calibration: The calibration of the embedder.
        index_data: The index data of the first lessons, or None.

    """

    def __init__(
        self, embedder: Embedder, calibration: Calibration, index_data: IndexData | None = None
    ) -> None:
        self._embedder, self._calibration = embedder, calibration
        self._mean_vector = np.array(calibration.mean_vector, np.float32)
        none = np.zeros((0, len(self._mean_vector)), np.float32)
        self._index(index_data or build_index_data([], none))

    def __len__(self) -> int:
        return len(self.index_data)

    def add(self, texts: Sequence[str], vectors: Vectors | None = None) -> None:
        """Add lessons, which get the next numbers; their vectors are computed unless given."""
        if vectors is None:
            vectors = self._embedder.embed_documents(texts)
        self._index(self.index_data.extend(build_index_data(texts, vectors)))

    def replace(self, index_data: IndexData) -> "Ranker":
        return Ranker(self._embedder, self._calibration, index_data)

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
        numbers, evidence = self.find(prompt, most, among)
        scores = score_in_order(self._calibration.weights.weigh(evidence))
        hits = zip(numbers[:most].tolist(), scores[:most].tolist(), strict=True)
        return [Hit(number, score) for number, score in hits if score >= least_score]

    def find(
        self, prompt: str, most: int, among: npt.NDArray[np.bool_] | None = None
    ) -> tuple[Integers, EvidenceArray]:
        """Return the numbers of the first lessons, in order, and the evidence for each.

        At least `most` of those in `among` are put in order, and at least CANDIDATES.
        """
        if not len(self):
            return np.zeros(0, np.int64), np.zeros((0, 3))
        prompt = prepare(prompt)
        similarity, words = self._compare(prompt)
        first = standardise(similarity) + WORDS * standardise(words)
        if among is not None:
            first[~among] = -np.inf
        near = find_best(first, max(CANDIDATES, most))
        tokens, typical = self._compare_tokens(prompt, near)
        best = sort_best(first[near] + TOKENS * standardise(tokens, typical))
        near, columns = near[best], (similarity[near[best]], words[near[best]], tokens[best])
        return near, np.stack(columns, axis=1, dtype=np.float64)

    def weigh(self, prompt: str, numbers: Integers) -> list[Evidence]:
        """Return what speaks for some lessons; the higher its sum, the earlier each comes."""
        if not len(numbers):
            return []
        prompt = prepare(prompt)
        similarity, words = self._compare(prompt)
        tokens, typical = self._compare_tokens(prompt, numbers)
        columns = (
            standardise(similarity)[numbers],
            WORDS * standardise(words)[numbers],
            TOKENS * standardise(tokens, typical),
        )
        return [Evidence(*row) for row in np.stack(columns, axis=1).tolist()]

    def _index(self, index_data: IndexData) -> None:
        """Measure what vectors have in common, and how long each is without it.

        With it all cosines are high and tell little. (J. Mu and P. Viswanath, "All-but-the-Top",
        2018.) The mean of a few vectors is too close to each, so the calibration's counts along.
        """
        self.index_data, vectors = index_data, index_data.vectors
        total = vectors.sum(axis=0, dtype=np.float32) + BACKGROUND * self._mean_vector
        self._common: Vectors = (total / (len(vectors) + BACKGROUND)).astype(np.float32)
        products = multiply_rows(vectors, self._common)
        squares = 1 - 2 * products + self._common @ self._common
        self._lengths: Scores = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)

    def _compare(self, prompt: str) -> tuple[Scores, Scores]:
        if isinstance(self._embedder, WordLlamaEmbedder):  # its vectors are means of the tokens'
            query = self._embedder.embed_query(prompt, self.index_data.rarity)
        else:
            query = self._embedder.embed_query(prompt)
        direction = scale(query - self._common)
        products = multiply_rows(self.index_data.vectors, direction) - self._common @ direction
        similarity: Scores = (products / self._lengths).astype(np.float32, copy=False)
        return similarity, self.index_data.score_words(prompt)

    def _compare_tokens(self, prompt: str, numbers: Integers) -> tuple[Scores, Scores]:
        """Return the tokens evidence of some lessons, and of a sample of all."""
        sample = np.arange(0, len(self), -(-len(self) // SAMPLE))
        parts = self.index_data.tokens.select_parts(np.concatenate([numbers, sample]))
        scores = load_token_vectors().score_openings(prompt, parts)
        return scores[: len(numbers)], scores[len(numbers) :]


def standardise(scores: Scores, typical: Scores | None = None) -> Scores:
    """Return scores less the mean of typical ones, by their spread; of themselves for None."""
    typical = scores if typical is None else typical
    standard: Scores = (scores - typical.mean()) / max(float(typical.std()), LEAST_SPREAD)
    return standard


def score_in_order(odds: Floats) -> Floats:
    """Return the scores of lessons in order by their log odds: none is lower than a later one."""
    highest = np.maximum.accumulate(odds[::-1])[::-1]
    scores: Floats = 1 / (1 + np.exp(-np.clip(highest, -MAX_EVIDENCE, MAX_EVIDENCE)))
    return scores


def build_index_data(texts: Sequence[str], vectors: Vectors) -> IndexData:
    return IndexData(
        vectors,
        join(map(set, map(number_words, texts)), np.uint32),
        load_token_vectors().list_tokens_in_parts((take_opening(text), text) for text in texts),
    )


def number_words(text: str) -> npt.NDArray[np.uint32]:
    """Return a number for each word of a text; that two words share one is most unlikely."""
    numbers = [crc32(word.encode("utf-8", "surrogatepass")) for word in list_words(text)]
    return np.array(numbers, np.uint32)


def take_opening(text: str) -> str:
    sentences = [part for part in SENTENCE_END.split(text) if len(part) >= MIN_SENTENCE]
    return " ".join(sentences[:OPENING]) or text


def prepare(prompt: str) -> str:
    """Return a prompt without capitals and outer quotes, and without its middle if very long."""
    prompt, half = prompt.casefold().strip(QUOTES), MAX_PROMPT // 2
    return prompt if len(prompt) <= MAX_PROMPT else f"{prompt[:half]} {prompt[-half:]}"
