"""Fit the ranking to an embedder by the labelled lessons, with a logistic regression."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lesson_search.embedders import Embedder, EmbedderError, Vectors
from lesson_search.retrieval.calibration import (
    SHIPPED,
    Calibration,
    Weights,
    keep_calibration,
    read_calibration,
)
from lesson_search.retrieval.evaluation import LABELLED, LabelledSet, read_set
from lesson_search.retrieval.ranking import Ranker

BATCH = 20  # lessons between two reports of progress
CANDIDATES = 20  # of each question, those that rank best
ROUNDS = 2  # the candidates are those of the round before
FIRST = Weights(8.0, 1.0, 1.0, -9.0)  # by which the first candidates rank
STEPS, RATE = 4_000, 0.5
GIVEN = 3  # lessons that a prompt is given at the most
INJECTED = 0.025  # the share of prompts that no lesson helps which may be given one
THRESHOLDS = [step / 20 for step in range(1, 20)]

Evidence = npt.NDArray[np.float64]  # for each lesson, as Weights names it
Progress = Callable[[int, int], None]  # is told how many texts are done, and of how many


def find_calibration(
    embedder: Embedder, folder: Path, progress: Progress | None = None
) -> Calibration:
    """Return the calibration of an embedder: the shipped, or the kept one, or else a new one.

    Args:
        embedder: It is asked only for a new one, which may take a minute by a service.
        folder: Where a new one is kept.
        progress: Is told how far a new one is.

    Raises:
        EmbedderError: There is none yet, and the embedder is down.

    """
    for known in (SHIPPED, folder):
        if calibration := read_calibration(embedder.name, known):
            return calibration
    fitted = fit_calibration(embedder, progress)
    with suppress(OSError):  # then it is fitted anew the next time
        keep_calibration(fitted, embedder.name, folder)
    return fitted


def fit_calibration(embedder: Embedder, progress: Progress | None = None) -> Calibration:
    """Return the calibration that fits the labelled lessons, as an embedder sees them.

    Args:
        embedder: Any.
        progress: Is told how many of the texts are done, and how many there are.

    Raises:
        EmbedderError: The embedder is down.

    """
    labelled = read_set(LABELLED)
    vectors = embed_lessons(labelled, embedder, progress)
    usual = tuple(round(float(value), 5) for value in vectors.mean(axis=0))
    ranker = Ranker(embedder, Calibration(FIRST, 0, usual))
    ranker.add(labelled.texts, vectors)
    evidence = gather_evidence(labelled, embedder, ranker, progress)
    weights = FIRST
    for _ in range(ROUNDS):
        weights = fit_weights(labelled, evidence, weights)
    return Calibration(weights, find_threshold(labelled, evidence, weights), usual)


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
    """Return what speaks for each lesson, of shape (lessons, 3), for each question."""
    total = len(labelled.texts) + len(labelled.questions)
    evidence = []
    for number, question in enumerate(labelled.questions, start=len(labelled.texts) + 1):
        try:
            each = ranker.list_evidence(question.prompt)
        except EmbedderError:
            if not embedder.check():  # nobody waits here: who was only slow is asked again
                raise
            each = ranker.list_evidence(question.prompt)
        evidence.append(np.stack(each, axis=-1, dtype=np.float64))
        if progress:
            progress(number, total)
    return evidence


def fit_weights(labelled: LabelledSet, evidence: Sequence[Evidence], present: Weights) -> Weights:
    """Return the weights that tell the wanted lessons best from others that rank high.

    Args:
        labelled: The lessons and questions.
        evidence: For each question.
        present: The weights that lessons rank high by.

    """
    rows, labels = [], []
    for question, each in zip(labelled.questions, evidence, strict=True):
        for number in np.argsort(-weigh(each, present))[:CANDIDATES]:
            rows.append(each[number])
            labels.append(labelled.ids[number] in question.wanted)
    return regress(np.array(rows), np.array(labels, float))


def regress(rows: Evidence, labels: npt.NDArray[np.float64]) -> Weights:
    """Return the weights by gradient descent on the standardised rows."""
    mean, spread = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
    standard = (rows - mean) / spread
    weights, bias = np.zeros(rows.shape[1]), 0.0
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-(standard @ weights + bias)))
        weights -= RATE * standard.T @ (chances - labels) / len(labels)
        bias -= RATE * float((chances - labels).mean())
    weights /= spread
    nearness, words, grams = (round(float(weight), 2) for weight in weights)
    return Weights(nearness, words, grams, round(bias - float(weights @ mean), 2))


def find_threshold(labelled: LabelledSet, evidence: Sequence[Evidence], weights: Weights) -> float:
    """Return the lowest threshold that hardly a prompt is over which no lesson helps."""
    best = [
        float(weigh(each, weights).max())
        for question, each in zip(labelled.questions, evidence, strict=True)
        if not question.wanted
    ]
    scores = 1 / (1 + np.exp(-np.array(best)))
    allowed = (step for step in THRESHOLDS if (scores >= step).mean() <= INJECTED)
    return next(allowed, THRESHOLDS[-1])


def weigh(evidence: Evidence, weights: Weights) -> npt.NDArray[np.float64]:
    """Return the log odds of each lesson, of shape (lessons,)."""
    odds: npt.NDArray[np.float64] = evidence @ np.array(astuple(weights)[:3]) + weights.bias
    return odds
