"""Rank lessons by their relevance to a prompt.

The score combines three kinds of evidence: the similarity of the vectors of the prompt and the
lesson, in which rarer prompt tokens count more; shared words (BM25); and the similarity of the
learned token vectors, in which the tokens of the lesson's opening count twice. The first two are
standardised over all lessons, the third over the lessons ranked best by the first two. Their sum
decides the order.

Whether a lesson is relevant at all is a separate question. A regression, fitted to labelled
lessons, turns the evidence into a probability from 0 to 1: scores of different prompts are
comparable, so one threshold fits all.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from hookwright_retrieval.arrays import (
    Integers,
    Scores,
    find_best,
    multiply_rows,
    sort_best,
)
from hookwright_retrieval.embedders import Embedder, Vectors, scale
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.terms import list_words
from hookwright_retrieval.token_vectors import VOCABULARY, TokenLists, join
from lesson_search.retrieval.calibration import Calibration, EvidenceArray, Floats
from lesson_search.retrieval.lesson_tokens import load_token_vectors
from lesson_search.storage.rows import StoredRecord

WORDS, TOKENS = 0.5, 1.0  # weights of words and tokens, relative to similarity
CANDIDATES = 70  # best lessons by similarity and words, for which tokens are compared
LEAST_SPREAD = 1e-3  # minimum spread of evidence; less is noise
BACKGROUND = 100  # weight of the calibration's mean vector, as a number of lessons
HALF = 2**16  # half the range of the 32-bit word numbers
K1, B = 1.2, 0.75  # how strongly long lessons are damped; the usual BM25 values
OPENING = 2  # sentences: they say when a lesson applies, and the rest says what to do
MIN_SENTENCE = 16  # characters; "Note:" does not count as one
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")
MAX_EVIDENCE = 500.0  # its exponential is still finite
QUOTES = " \t\n\"'`“”„«»"  # some clients quote the user's text
MAX_PROMPT = 4_000  # characters: half from the start of the prompt and half from its end
VERSION = 5  # version of the index data and the file format
DIGEST = 16  # bytes


@dataclass(frozen=True)
class Evidence:
    """The weighted evidence for a lesson; lessons are ordered by the sum."""

    similarity: float  # similarity of the vectors of the prompt and the lesson
    words: float  # shared words
    tokens: float  # similarity of the tokens


@dataclass(frozen=True)
class Hit:
    """A lesson's number, its score from 0 to 1, and the evidence."""

    number: int
    score: float
    evidence: Evidence


class Ordered(NamedTuple):
    """Lessons in order, best first."""

    numbers: Integers
    evidence: EvidenceArray
    parts: Scores  # weighted evidence, of shape (lessons, 3)


@dataclass(frozen=True)
class IndexData:
    """The data used to rank lessons; computed from their texts, and cacheable."""

    vectors: Vectors  # of shape (lessons, dimensions)
    words: TokenLists  # the numbers of their words
    tokens: TokenLists  # their tokens: first those of the opening, then the others

    def __len__(self) -> int:
        return len(self.words)

    def extend(self, others: "IndexData") -> "IndexData":
        """Return the data of both indexes; the others' lessons are numbered after this one's."""
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
        """Return the BM25 scores of the lessons, of shape (lessons,), counting each word once.

        A word that occurs in one lesson counts about 1, regardless of the number of lessons.
        """
        words, lessons, bounds = self._postings
        sums = np.zeros(len(self), np.float32)
        for word in sorted(number_words(prompt)):
            half = word % HALF
            near = slice(bounds[half], bounds[half + 1])
            found = lessons[near][words[near] == word]
            rarity = log(1 + (len(self) - len(found) + 0.5) / (len(found) + 0.5))
            sums[found] += rarity / log(len(self) + 1.5)  # each word occurs once per lesson
        return self._damping * sums

    @cached_property
    def rarity(self) -> Scores:
        """Each token's rarity among the lessons, of shape (vocabulary,)."""
        lessons = np.bincount(self.tokens.tokens, minlength=VOCABULARY)
        rarity: Scores = np.log((len(self) + 1) / (lessons + 0.5)).astype(np.float32)
        return rarity

    @cached_property
    def _postings(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32], Integers]:
        """All lessons' words sorted by the lower half of their numbers, with their lessons.

        The third array contains the bounds of each half. Sorting by whole numbers would take ten
        times as long after each change.
        """
        halves = self.words.tokens.astype(np.uint16)
        order = np.argsort(halves, kind="stable")
        owners = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.words.bounds))
        bounds = np.concatenate([[0], np.cumsum(np.bincount(halves, minlength=HALF))])
        return self.words.tokens[order], owners[order], bounds

    @cached_property
    def _damping(self) -> Scores:
        """BM25's factor for the length of each lesson, of shape (lessons,)."""
        lengths = np.diff(self.words.bounds)
        damping = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
        whole: Scores = ((K1 + 1) / (1 + damping)).astype(np.float32)
        return whole


class Ranker:
    """Ranks lessons, which are numbered from 0."""

    def __init__(self, embedder: Embedder, calibration: Calibration, index_data: IndexData) -> None:
        """Compute the common component of the vectors, and their lengths without it.

        With the common component, all cosines are high and not very informative. (J. Mu and P.
        Viswanath, "All-but-the-Top", 2018.) The mean of a few vectors is too close to each of them,
        so the calibration's mean is included.
        """
        self._embedder, self._calibration, self.index_data = embedder, calibration, index_data
        vectors, mean = index_data.vectors, np.array(calibration.mean_vector, np.float32)
        total = vectors.sum(axis=0, dtype=np.float32) + BACKGROUND * mean
        self._common: Vectors = (total / (len(vectors) + BACKGROUND)).astype(np.float32)
        products = multiply_rows(vectors, self._common)
        squares = 1 - 2 * products + self._common @ self._common
        self._lengths: Scores = np.sqrt(np.maximum(squares, 1e-9)).astype(np.float32)

    def replace(self, index_data: IndexData) -> "Ranker":
        return Ranker(self._embedder, self._calibration, index_data)

    def rank(
        self,
        prompt: str,
        most: int,
        least_score: float = 0.0,
        among: npt.NDArray[np.bool_] | None = None,
    ) -> list[Hit]:
        """Return the lessons most relevant to a prompt, best first.

        The least score is from 0 to 1. `among` is a mask of the lessons to consider, of shape
        (lessons,), or None for all.
        """
        ordered = self.find(prompt, most, among)
        scores = score_in_order(self._calibration.weights.weigh(ordered.evidence))
        rows = zip(ordered.numbers[:most].tolist(), scores.tolist(), ordered.parts, strict=False)
        return [
            Hit(number, score, Evidence(*map(float, parts)))
            for number, score, parts in rows
            if score >= least_score
        ]

    def find(self, prompt: str, most: int, among: npt.NDArray[np.bool_] | None = None) -> Ordered:
        """Return the first lessons in order: at least `most` of those in `among`, if available."""
        if not len(self.index_data):
            return Ordered(np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3), np.float32))
        prompt = prepare(prompt)
        similarity, words = self._compare(prompt)
        by_similarity, by_words = standardise(similarity), WORDS * standardise(words)
        first = by_similarity + by_words
        if among is not None:
            first[~among] = -np.inf
        near = find_best(first, max(CANDIDATES, most))
        parts = self.index_data.tokens.select_parts(near)
        tokens = load_token_vectors().score_openings(prompt, parts)
        columns = (by_similarity[near], by_words[near], TOKENS * standardise(tokens))
        counted = np.stack(columns, axis=1)
        best = sort_best(counted.sum(axis=1))
        evidence = np.stack((similarity[near], words[near], tokens), axis=1, dtype=np.float64)
        return Ordered(near[best], evidence[best], counted[best])

    def _compare(self, prompt: str) -> tuple[Scores, Scores]:
        if isinstance(self._embedder, WordLlamaEmbedder):  # its vectors are token means
            query = self._embedder.embed_query(prompt, self.index_data.rarity)
        else:
            query = self._embedder.embed_query(prompt)
        direction = scale(query - self._common)
        products = multiply_rows(self.index_data.vectors, direction) - self._common @ direction
        similarity: Scores = (products / self._lengths).astype(np.float32, copy=False)
        return similarity, self.index_data.score_words(prompt)


def standardise(scores: Scores) -> Scores:
    """Return scores minus their mean, divided by their standard deviation."""
    if not len(scores):
        return scores
    standard: Scores = scores - scores.mean()
    standard /= max(sqrt(np.vdot(standard, standard) / len(scores)), LEAST_SPREAD)
    return standard


def score_in_order(odds: Floats) -> Floats:
    """Return scores from the log odds of ordered lessons; scores never increase along the order."""
    highest = np.maximum.accumulate(odds[::-1])[::-1]
    scores: Floats = 1 / (1 + np.exp(-np.clip(highest, -MAX_EVIDENCE, MAX_EVIDENCE)))
    return scores


def build_index_data(texts: Sequence[str], vectors: Vectors) -> IndexData:
    return IndexData(
        vectors,
        join(map(number_words, texts), np.uint32),
        load_token_vectors().list_tokens_in_parts((take_opening(text), text) for text in texts),
    )


def number_words(text: str) -> set[int]:
    """Return a number for each word of a text; collisions are very unlikely."""
    return {crc32(word.encode("utf-8", "surrogatepass")) for word in list_words(text)}


def take_opening(text: str) -> str:
    sentences = [part for part in SENTENCE_END.split(text) if len(part) >= MIN_SENTENCE]
    return " ".join(sentences[:OPENING]) or text


def prepare(prompt: str) -> str:
    """Return a prompt in lower case, without outer quotes, and without its middle if very long."""
    prompt, half = prompt.casefold().strip(QUOTES), MAX_PROMPT // 2
    return prompt if len(prompt) <= MAX_PROMPT else f"{prompt[:half]} {prompt[-half:]}"


def hash_stored(stored: StoredRecord[Any]) -> bytes:
    whole = f"{stored.record.id}\0{stored.version}\0{stored.record.text}"
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


def write_index_cache(
    path: Path, embedder: str, digests: Iterable[bytes], index_data: IndexData
) -> None:
    arrays = {
        "kind": np.array([f"{VERSION} {embedder}"]),
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(-1, DIGEST),
        "wholes": index_data.vectors,
        "words": index_data.words.tokens,
        "words.bounds": index_data.words.bounds,
        "tokens": index_data.tokens.tokens,
        "tokens.bounds": index_data.tokens.bounds,
    }
    # Without a cache, only the next start is slower.
    with suppress(OSError), replacing(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def check_lists(lists: TokenLists, number: int) -> None:
    sizes = np.diff(lists.bounds)
    require(sizes >= 0, len(sizes) == number, lists.bounds[0] == 0)
    require(lists.bounds[-1] == len(lists.tokens), lists.tokens.dtype.kind == "u")


def require(*conditions: Any) -> None:
    if not all(map(np.all, conditions)):
        raise ValueError("the arrays are damaged")


class CachedIndex(NamedTuple):
    """The contents of a cache file."""

    digests: list[bytes]  # digests of the records
    vectors: Vectors  # their vectors, of shape (records, dimensions)
    index_data: IndexData | None  # None if the file has another version


def read_index_cache(path: Path, embedder: str) -> CachedIndex | None:
    """Return the cache, or None if it is missing, damaged, or from another embedder."""
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as arrays:
            [kind] = arrays["kind"].tolist()
            version, _, name = kind.partition(" ")
            if name != embedder:
                return None
            vectors, index_data = arrays["wholes"], None
            if version == str(VERSION):
                words, tokens = (
                    TokenLists(arrays[name], arrays[f"{name}.bounds"])
                    for name in ("words", "tokens")
                )
                index_data = IndexData(vectors, words, tokens)
                check_lists(words, len(vectors))
                check_lists(tokens, 2 * len(vectors))
                require(tokens.tokens < VOCABULARY)
            digests = [row.tobytes() for row in arrays["digests"]]
            require(np.isfinite(vectors), len(digests) == len(vectors))
            return CachedIndex(digests, vectors, index_data)
    except Exception:  # noqa: BLE001 - a damaged file is ignored, whatever the damage
        return None
