"""Rank lessons by how much they matter to a prompt.

Three things speak for a lesson: that its vector, or that of one of its passages, is near the
prompt's; that they share words; that they share pieces of words. What each is worth was fitted to
labelled lessons, as a chance from 0 to 1 that the lesson helps: scores of different prompts can be
compared, and one threshold fits them all.
"""

import copy
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Embedder, Vectors
from lesson_search.retrieval.background_corpus import count_background
from lesson_search.retrieval.bm25 import Integers, LexicalIndex, Postings, count_terms
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.terms import list_grams, list_words
from lesson_search.retrieval.vector_index import NO_VECTORS, Scores, VectorIndex

PASSAGE = 400  # characters; a longer lesson is looked at by the passage, too
BY_CHANCE = 0.1  # how much nearer the nearest of several passages is without meaning anything
LARGEST_EVIDENCE = 500.0  # for or against a lesson, whose exponential is still a number
LONGEST_PROMPT = 4_000  # characters that are looked at, half of them at the beginning


@dataclass(frozen=True)
class Match:
    """A lesson that matters to a prompt: its number, and the score from 0 to 1."""

    number: int
    score: float


@dataclass(frozen=True)
class Derived:
    """What lessons are ranked by; it is made of their texts, and can be kept beside them.

    Args:
        words: The words of the lessons, which have numbers from 0 on.
        grams: The pieces of their words.
        wholes: Their vectors, of shape (lessons, dimensions).
        passages: The vectors of passages of long ones, of shape (passages, dimensions).
        owners: The number of each passage's lesson, of shape (passages,).

    """

    words: Postings
    grams: Postings
    wholes: Vectors
    passages: Vectors
    owners: Integers

    def __len__(self) -> int:
        """Return how many lessons there are."""
        return len(self.words)

    def select(self, numbers: Integers) -> "Derived":
        """Return the lessons of these numbers, which get new ones in their order."""
        if np.array_equal(numbers, np.arange(len(self))):
            return self
        places = np.full(len(self), -1, np.int64)
        places[numbers] = np.arange(len(numbers))
        owners = places[self.owners]
        # In the order of their lessons, as if they had been derived in it.
        kept = np.argsort(owners, kind="stable")[np.count_nonzero(owners < 0) :]
        return Derived(
            self.words.select(numbers),
            self.grams.select(numbers),
            self.wholes[numbers],
            self.passages[kept],
            owners[kept],
        )


class Ranker:
    """Lessons to be ranked, which have numbers from 0 on in the order they are added."""

    def __init__(self, embedder: Embedder, calibration: Calibration) -> None:
        """Start without lessons.

        Args:
            embedder: What the vectors come from.
            calibration: The embedder's.

        """
        self._embedder = embedder
        self._calibration = calibration
        background = count_background()
        self._words = LexicalIndex(background.words)
        self._grams = LexicalIndex(background.grams)
        usual = np.array(calibration.usual, np.float32)
        self._wholes = VectorIndex(usual)
        self._passages = VectorIndex(usual)
        self._owners: Integers = np.zeros(0, np.int64)  # each passage's lesson, ascending
        self._firsts: Integers = self._owners  # where each lesson's passages begin

    def __len__(self) -> int:
        """Return how many lessons there are."""
        return len(self._words)

    def add(self, texts: Sequence[str], vectors: Vectors | None = None) -> None:
        """Add a lesson for each text, with the next numbers.

        Args:
            texts: The lessons.
            vectors: Theirs by the embedder, of shape (texts, dimensions), where they are known.

        """
        if vectors is None:
            vectors = self._embedder.embed_documents(texts)
        self.take(derive(texts, vectors, self._embedder))

    def take(self, derived: Derived) -> None:
        """Add lessons, with the next numbers, by what was derived from them."""
        self._owners = np.concatenate([self._owners, derived.owners + len(self)])
        self._firsts = np.flatnonzero(np.diff(self._owners, prepend=-1))
        self._passages = self._passages.extend(derived.passages)
        self._wholes = self._wholes.extend(derived.wholes)
        self._words = self._words.extend(derived.words)
        self._grams = self._grams.extend(derived.grams)

    def copy(self) -> "Ranker":
        """Return a ranker of the same lessons; others can be added to one of the two."""
        return copy.copy(self)

    def select(self, numbers: Integers) -> "Ranker":
        """Return a ranker of the lessons of these numbers, which get new ones in their order."""
        selected = Ranker(self._embedder, self._calibration)
        selected.take(self.gather().select(numbers))
        return selected

    def gather(self) -> Derived:
        """Return what was derived from all lessons."""
        return Derived(
            self._words.gather(),
            self._grams.gather(),
            self._wholes.vectors,
            self._passages.vectors,
            self._owners,
        )

    def rank(
        self,
        prompt: str,
        most: int,
        least_score: float = 0.0,
        among: npt.NDArray[np.bool_] | None = None,
    ) -> list[Match]:
        """Return the lessons that matter most to a prompt, the best first.

        Args:
            prompt: Any text; of a very long one the beginning and the end count.
            most: How many lessons to return at the most.
            least_score: What a lesson has to score, from 0 to 1.
            among: Which lessons may be returned, of shape (lessons,); all where it is None.

        """
        if not len(self):
            return []
        weights = self._calibration.weights
        nearness, words, grams = self.list_evidence(prompt)
        evidence = weights.nearness * nearness + weights.words * words + weights.grams * grams
        evidence = np.clip(evidence + weights.bias, -LARGEST_EVIDENCE, LARGEST_EVIDENCE)
        if among is not None:
            evidence = np.where(among, evidence, -np.inf)
        best = np.argpartition(-evidence, min(most, len(self) - 1))[:most]
        scores = {int(n): 1 / (1 + math.exp(-evidence[n])) for n in best if evidence[n] > -np.inf}
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [Match(number, score) for number, score in ranked if score >= least_score]

    def list_evidence(self, prompt: str) -> tuple[Scores, Scores, Scores]:
        """Return what speaks for each lesson, as Weights names it, each of shape (lessons,)."""
        prompt = shorten(prompt)
        words = np.sqrt(self._words.score(list_words(prompt)))
        grams = np.sqrt(self._grams.score(list_grams(prompt)))
        return self._score_nearness(prompt), words, grams

    def _score_nearness(self, prompt: str) -> Scores:
        """Return how near each lesson is to the prompt, by its whole or its nearest passage."""
        query = self._embedder.embed_query(prompt)
        nearest = self._wholes.score(query)
        if len(self._owners):
            best = np.maximum.reduceat(self._passages.score(query), self._firsts) - BY_CHANCE
            owners = self._owners[self._firsts]
            nearest[owners] = np.maximum(nearest[owners], best)
        return nearest


def derive(texts: Sequence[str], vectors: Vectors, embedder: Embedder | None) -> Derived:
    """Return what lessons are ranked by.

    Args:
        texts: The lessons.
        vectors: Theirs, of shape (texts, dimensions).
        embedder: What embeds passages; without one there are none.

    """
    passages = [
        (number, passage) for number, text in enumerate(texts) for passage in split_passages(text)
    ]
    if embedder is None or not passages:
        passages, embedded = [], NO_VECTORS
    else:
        embedded = embedder.embed_documents([passage for _, passage in passages])
    return Derived(
        count_terms(map(list_words, texts)),
        count_terms(map(list_grams, texts)),
        vectors,
        embedded,
        np.array([number for number, _ in passages], np.int64),
    )


def split_passages(text: str) -> list[str]:
    """Return the paragraphs of a lesson that is long and has several, or none."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    return paragraphs if len(text) > PASSAGE and len(paragraphs) > 1 else []


def shorten(prompt: str) -> str:
    """Return the prompt, without the middle of a very long one."""
    half = LONGEST_PROMPT // 2
    return prompt if len(prompt) <= LONGEST_PROMPT else f"{prompt[:half]} {prompt[-half:]}"
