"""Rank lessons by how much they matter to a prompt.

Three things speak for a lesson: that its vector, or that of one of its passages, is near the
prompt's; that they share words; that they share pieces of words. What each is worth was fitted to
labelled lessons, as a chance from 0 to 1 that the lesson helps: scores of different prompts can be
compared, and one threshold fits them all.
"""

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Embedder, Vectors
from lesson_search.lexical import LexicalIndex
from lesson_search.nearness import Scores, VectorIndex
from lesson_search.terms import list_grams, list_words

PASSAGE = 400  # characters; a longer lesson is looked at by the passage, too
BY_CHANCE = 0.1  # how much nearer the nearest of several passages is without meaning anything
LONGEST_PROMPT = 4_000  # characters that are looked at, half of them at the beginning


@dataclass(frozen=True)
class Weights:
    """What speaks for a lesson, as a logistic regression found it.

    Args:
        nearness: For the cosine of the vectors, less what all lessons have in common.
        words: For the square root of the words' score.
        grams: For the square root of the score of pieces of words.
        bias: Against each lesson, as most lessons matter to few prompts.

    """

    nearness: float
    words: float
    grams: float
    bias: float


# By embedder, for the cosines of two cannot be compared.
WEIGHTS = {"wordllama": Weights(8.73, 1.38, 1.18, -9.51)}
# What a lesson has to score to be given: fewer than one in twenty prompts that no lesson helps is
# given one then.
THRESHOLDS = {"wordllama": 0.4}


@dataclass(frozen=True)
class Match:
    """A lesson that matters to a prompt: its number, and the score from 0 to 1."""

    number: int
    score: float


class Ranker:
    """Lessons to be ranked, which have numbers from 0 on in the order they are added."""

    def __init__(self, embedder: Embedder) -> None:
        """Start without lessons.

        Args:
            embedder: What the vectors come from; its name is a key of WEIGHTS.

        """
        self._embedder = embedder
        self._weights = WEIGHTS[embedder.name]
        self._words = LexicalIndex()
        self._grams = LexicalIndex()
        self._wholes = VectorIndex(embedder.dimensions)
        self._passages = VectorIndex(embedder.dimensions)
        self._owners = array("q")  # each passage's lesson

    def __len__(self) -> int:
        """Return how many lessons there are."""
        return len(self._words)

    def add(self, texts: Sequence[str], vectors: Vectors | None = None) -> None:
        """Add a lesson for each text, with the next numbers.

        Args:
            texts: The lessons.
            vectors: Theirs by the embedder, of shape (texts, dimensions), where they are known.

        """
        passages = [
            (number, passage)
            for number, text in enumerate(texts, start=len(self))
            for passage in split_passages(text)
        ]
        self._owners.extend(number for number, _ in passages)
        self._passages.add(self._embedder.embed_documents([passage for _, passage in passages]))
        self._wholes.add(self._embedder.embed_documents(texts) if vectors is None else vectors)
        for text in texts:
            self._words.add(list_words(text))
            self._grams.add(list_grams(text))

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
        weights = self._weights
        nearness, words, grams = self.list_evidence(prompt)
        evidence = weights.nearness * nearness + weights.words * words + weights.grams * grams
        evidence += weights.bias
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
        if self._owners:
            owners = np.frombuffer(self._owners, np.int64)
            np.maximum.at(nearest, owners, self._passages.score(query) - BY_CHANCE)
        return nearest


def split_passages(text: str) -> list[str]:
    """Return the paragraphs of a lesson that is long and has several, or none."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    return paragraphs if len(text) > PASSAGE and len(paragraphs) > 1 else []


def shorten(prompt: str) -> str:
    """Return the prompt, without the middle of a very long one."""
    half = LONGEST_PROMPT // 2
    return prompt if len(prompt) <= LONGEST_PROMPT else f"{prompt[:half]} {prompt[-half:]}"
