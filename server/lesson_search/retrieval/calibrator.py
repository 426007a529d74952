"""Fit the ranking to an embedder with the labelled lessons, by logistic regression."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.embedders import Embedder, EmbedderError, Vectors
from lesson_search.retrieval.calibration import (
    SHIPPED,
    THRESHOLD_STEPS,
    Calibration,
    Weights,
    read_calibration,
    save_calibration,
)
from lesson_search.retrieval.evaluation import (
    DEPTH,
    LABELLED,
    LabelledSet,
    measure_quality,
    read_set,
)
from lesson_search.retrieval.ranking import Ranker

BATCH = 20  # lessons between two progress updates
CANDIDATES = 10  # best-ranked lessons of each question
ROUNDS = 2  # each round takes its candidates from the one before
FIRST = Weights(8.0, 1.0, 1.0, 0.0, -9.0)  # rank the candidates of the first round
STEPS, RATE = 4_000, 0.5
INJECTED = 0.05  # allowed share of prompts that get a lesson although none is relevant
RELEVANT = 0.6  # share of the lessons given that has to be relevant
THRESHOLDS = [step / THRESHOLD_STEPS for step in range(1, THRESHOLD_STEPS)]

Evidence = npt.NDArray[np.float64]  # one row per lesson, one column per weight
Progress = Callable[[int, int], None]  # called with the number of texts done and in total


def find_calibration(
    embedder: Embedder, folder: Path, progress: Progress | None = None
) -> Calibration:
    """Return the calibration of an embedder: shipped, saved or fitted now.

    Args:
        embedder: The embedder. Fitting with a service may take a minute.
        folder: The folder that a new calibration is saved in.
        progress: Called while a new calibration is fitted.

    Raises:
        EmbedderError: The embedder needs a new calibration but is down.

    """
    for known in (SHIPPED, folder):
        if calibration := read_calibration(embedder.name, known):
            return calibration
    fitted = fit_calibration(embedder, progress)
    with suppress(OSError):  # the next start fits it again
        save_calibration(fitted, embedder.name, folder)
    return fitted


def fit_calibration(embedder: Embedder, progress: Progress | None = None) -> Calibration:
    """Fit a calibration to the labelled lessons.

    Args:
        embedder: Embeds the lessons and questions.
        progress: Called with the number of texts done and in total.

    Raises:
        EmbedderError: The embedder is down.

    """
    labelled = read_set(LABELLED)
    vectors = embed_lessons(labelled, embedder, progress)
    mean_vector = tuple(round(float(value), 5) for value in vectors.mean(axis=0))
    ranker = Ranker(embedder, Calibration(FIRST, 0, mean_vector))
    ranker.add(labelled.texts, vectors)
    evidence = gather_evidence(labelled, embedder, ranker, progress)
    weights = FIRST
    for _ in range(ROUNDS):
        weights = fit_weights(labelled, evidence, weights)
    return Calibration(weights, find_threshold(labelled, evidence, weights), mean_vector)


def embed_lessons(labelled: LabelledSet, embedder: Embedder, progress: Progress | None) -> Vectors:
    """Return the vectors of the lessons, of shape (lessons, dimensions)."""
    parts = []
    for start in range(0, len(labelled.texts), BATCH):
        batch = labelled.texts[start : start + BATCH]
        parts.append(embedder.embed_documents(batch))
        if progress:
            progress(start + len(batch), len(labelled.texts) + len(labelled.questions))
    return np.concatenate(parts)


def gather_evidence(
    labelled: LabelledSet, embedder: Embedder, ranker: Ranker, progress: Progress | None
) -> list[Evidence]:
    """Return the evidence for each lesson, of shape (lessons, 4), per question."""
    total = len(labelled.texts) + len(labelled.questions)
    numbers = np.arange(len(labelled.texts))
    evidence = []
    for number, question in enumerate(labelled.questions, start=len(labelled.texts) + 1):
        try:
            each = ranker.list_evidence(question.prompt, numbers)
        except EmbedderError:
            if not embedder.check():  # nobody waits here, so a slow embedder gets a second chance
                raise
            each = ranker.list_evidence(question.prompt, numbers)
        evidence.append(np.stack(each, axis=-1, dtype=np.float64))
        if progress:
            progress(number, total)
    return evidence


def fit_weights(labelled: LabelledSet, evidence: Sequence[Evidence], present: Weights) -> Weights:
    """Return the weights that best separate relevant lessons from other top candidates.

    Args:
        labelled: The lessons and questions.
        evidence: The evidence of each question.
        present: The weights that choose the candidates.

    """
    rows, labels = [], []
    for question, each in zip(labelled.questions, evidence, strict=True):
        for number in np.argsort(-weigh(each, present))[:CANDIDATES]:
            rows.append(each[number])
            labels.append(labelled.ids[number] in question.wanted)
    return regress(np.array(rows), np.array(labels, float))


def regress(rows: Evidence, labels: npt.NDArray[np.float64]) -> Weights:
    """Return the weights, by gradient descent on the standardised rows."""
    mean, spread = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
    standard = (rows - mean) / spread
    weights, bias = np.zeros(rows.shape[1]), 0.0
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-(standard @ weights + bias)))
        weights -= RATE * standard.T @ (chances - labels) / len(labels)
        weights = np.maximum(weights, 0)  # nothing that both have speaks against a lesson
        bias -= RATE * float((chances - labels).mean())
    weights /= spread
    similarity, words, grams, tokens = (round(float(weight), 2) for weight in weights)
    return Weights(similarity, words, grams, tokens, round(bias - float(weights @ mean), 2))


def find_threshold(labelled: LabelledSet, evidence: Sequence[Evidence], weights: Weights) -> float:
    """Return the lowest threshold that few prompts without a relevant lesson exceed.

    Most of the lessons that prompts get at it are relevant, too, if there is such a threshold.
    """
    found = {
        question.prompt: rank(labelled.ids, weigh(each, weights))
        for question, each in zip(labelled.questions, evidence, strict=True)
    }
    measured = (
        (step, measure_quality(found.__getitem__, labelled.questions, step)) for step in THRESHOLDS
    )
    allowed = [(step, one.precision) for step, one in measured if one.injected <= INJECTED]
    precise = (step for step, precision in allowed if precision >= RELEVANT)
    lowest, _ = allowed[0] if allowed else (THRESHOLDS[-1], 0.0)
    return next(precise, lowest)


def rank(ids: Sequence[str], odds: npt.NDArray[np.float64]) -> list[tuple[str, float]]:
    """Return the best lessons and their scores, from their log odds."""
    best = np.argsort(-odds, kind="stable")[:DEPTH]
    return [(ids[number], float(1 / (1 + np.exp(-odds[number])))) for number in best]


def weigh(evidence: Evidence, weights: Weights) -> npt.NDArray[np.float64]:
    """Return the log odds of each lesson, of shape (lessons,)."""
    odds: npt.NDArray[np.float64] = evidence @ np.array(astuple(weights)[:-1]) + weights.bias
    return odds
