"""Fit the weights of words that speak for or against any technology.

A word's weight is the sum of three parts: its log-odds in documentation compared with general
English; the projection of its word vector, which also gives a weight to words absent from the
searches; and its own weight in the searches. A single logistic regression fits all three.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import wordfreq
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from hookwright_retrieval.terms import STOP_WORDS

from .texts import Documentation, split_words

FLOOR = 2e-7  # assumed share of a word that never occurs
STRONGEST = 4.0  # maximum absolute log-odds
ENGLISH = 30_000  # number of common English words
DIRECTION, OWN, PRIOR = 1.0, 1.0, 0.3  # regularisation of each part
ROUNDS = 120

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """A text, the name in it (or ""), whether the text is technical, and its weight."""

    name: str
    text: str
    technical: bool
    weight: float


@dataclass(frozen=True)
class Vocabulary:
    """The words that can have a weight, numbered from 0.

    Args:
        numbers: The number of each word.
        log_odds: Log-odds in documentation compared with English, of shape (words,).
        vectors: Unit vectors minus their mean, of shape (words, dimensions).

    """

    numbers: dict[str, int]
    log_odds: Numbers
    vectors: Numbers


def build_vocabulary(documentation: Documentation, samples: Sequence[Sample]) -> Vocabulary:
    """Return the common English words, and words from the documentation or from several samples."""
    english = wordfreq.get_frequency_dict("en", "large")
    shares = count_shares(documentation)
    seen = Counter(word for sample in samples for word in {*split_words(sample.text)})
    uses = {word: english.get(word, 0) + shares[word] for word in english.keys() | shares}
    common = sorted(uses, key=lambda word: (-uses[word], word))
    chosen = {*common[:ENGLISH], *(word for word, count in seen.items() if count > 1)}
    # Words such as `in` and `for` indicate how a search is phrased rather than its subject.
    words = sorted(
        stop_word for stop_word in chosen - STOP_WORDS if re.fullmatch(r"[a-z]\w+", stop_word)
    )
    odds = [math.log((shares[word] + FLOOR) / (english.get(word, 0) + FLOOR)) for word in words]
    vectors = WordLlamaEmbedder().embed_documents(words).astype(np.float64)
    return Vocabulary(
        {word: number for number, word in enumerate(words)},
        np.clip(np.array(odds), -STRONGEST, STRONGEST),
        vectors - vectors.mean(axis=0),
    )


def count_shares(documentation: Documentation) -> Mapping[str, float]:
    """Return each word's share of the documentation, with equal weight per package."""
    shares: defaultdict[str, float] = defaultdict(float)
    for counter in documentation.counts.values():
        total = counter.total() * len(documentation.counts)
        for word, count in counter.items():
            shares[word] += count / total
    return shares


def fit_weights(samples: Sequence[Sample], vocabulary: Vocabulary) -> Numbers:
    """Return the weight of each word, in natural log-odds, of shape (words,)."""
    names = sorted({sample.name for sample in samples})
    has = build_matrix(samples, vocabulary)
    used = np.unique(has.indices)
    words, vectors, odds = has[:, used], vocabulary.vectors[used], vocabulary.log_odds[used]
    places = [names.index(sample.name) for sample in samples]
    named = csr_matrix((np.ones(len(samples)), (range(len(samples)), places)))
    parts = [(words @ odds)[:, None], words @ vectors, words, named]
    sizes = np.cumsum([0, 1, vectors.shape[1], len(used), len(names)])
    strength = np.repeat([0, DIRECTION, OWN, PRIOR], np.diff(sizes))
    labels = np.array([sample.technical for sample in samples], float)
    counts = np.array([sample.weight for sample in samples])

    def measure(weights: Numbers) -> tuple[float, Numbers]:
        split = [weights[start:end] for start, end in pairwise(sizes)]
        sums = sum(part @ factors for part, factors in zip(parts, split, strict=True))
        chances = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        likely = np.where(labels > 0, chances, 1 - chances)
        loss = -(counts * np.log(likely + 1e-12)).sum() + (strength * weights**2).sum() / 2
        slope = counts * (chances - labels)
        return loss, np.concatenate([part.T @ slope for part in parts]) + strength * weights

    start = np.zeros(sizes[-1])
    options = {"maxiter": ROUNDS}
    found = minimize(measure, start, jac=True, method="L-BFGS-B", options=options).x
    fitted: Numbers = vocabulary.log_odds * found[0]
    fitted += vocabulary.vectors @ found[sizes[1] : sizes[2]]
    fitted[used] += found[sizes[2] : sizes[3]]
    return fitted


def build_matrix(samples: Sequence[Sample], vocabulary: Vocabulary) -> csr_matrix:
    places = [
        (row, vocabulary.numbers[word])
        for row, sample in enumerate(samples)
        for word in {*split_words(sample.text)} - {sample.name}
        if word in vocabulary.numbers
    ]
    rows, columns = zip(*places, strict=True)
    shape = (len(samples), len(vocabulary.numbers))
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape)
