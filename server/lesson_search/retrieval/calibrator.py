"""Fit the ranking to an embedder with the labelled lessons, by logistic regression."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import sort_best
from hookwright_retrieval.embedders import Embedder, EmbedderError, Vectors
from lesson_search.retrieval.calibration import (
    SHIPPED,
    THRESHOLD_STEPS,
    Calibration,
    EvidenceArray,
    Floats,
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
from lesson_search.retrieval.ranking import Ranker, score_in_order

BATCH = 20  # lessons between two progress updates
MANY, FEW = 40, 10  # first lessons of each question, which the weights are fitted to
# What lessons are put in order by, where a similarity counts so much more than for their scores:
# the words of notes and questions of all kinds tell more than those of the labelled lessons.
FIRST, MORE = Weights(8.0, 0.4, 0.85, 22.0, 0.0), 1.3
STEPS, RATE = 4_000, 0.5
INJECTED = 0.05  # allowed share of prompts that get a lesson although none is relevant
RELEVANT = 0.5  # share of the lessons given that has to be relevant
THRESHOLDS = [step / THRESHOLD_STEPS for step in range(1, THRESHOLD_STEPS)]

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
    ranker = Ranker(embedder, Calibration(FIRST, FIRST, 0, mean_vector))
    ranker.add(labelled.texts, vectors)
    evidence = gather_evidence(labelled, embedder, ranker, progress)
    similarity = fit_weights(labelled, evidence, FIRST, MANY).similarity
    order = replace(FIRST, similarity=round(MORE * similarity, 2))
    weights = fit_weights(labelled, evidence, order, FEW)
    threshold = find_threshold(labelled, evidence, order, weights)
    return Calibration(order, weights, threshold, mean_vector)


def embed_lessons(labelled: LabelledSet, embedder: Embedder, progress: Progress | None) -> Vectors:
    parts = []
    for start in range(0, len(labelled.texts), BATCH):
        batch = labelled.texts[start : start + BATCH]
        parts.append(embedder.embed_documents(batch))
        if progress:
            progress(start + len(batch), len(labelled.texts) + len(labelled.questions))
    return np.concatenate(parts)


def gather_evidence(
    labelled: LabelledSet, embedder: Embedder, ranker: Ranker, progress: Progress | None
) -> list[EvidenceArray]:
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


def fit_weights(
    labelled: LabelledSet, evidence: Sequence[EvidenceArray], order: Weights, most: int
) -> Weights:
    """Return the weights that best separate relevant lessons from the others at the top.

    Args:
        labelled: The lessons and questions.
        evidence: The evidence of each question.
        order: The weights that lessons are put in order by.
        most: How many of the first of each question are separated.

    """
    rows, labels = [], []
    for question, each in zip(labelled.questions, evidence, strict=True):
        for number in sort_best(order.weigh(each))[:most]:
            rows.append(each[number])
            labels.append(labelled.ids[number] in question.wanted)
    return regress(np.array(rows), np.array(labels, float))


def regress(rows: EvidenceArray, labels: npt.NDArray[np.float64]) -> Weights:
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


def find_threshold(
    labelled: LabelledSet, evidence: Sequence[EvidenceArray], order: Weights, weights: Weights
) -> float:
    """Return the lowest threshold that few prompts without a relevant lesson exceed.

    Most of the lessons that prompts get at it are relevant, too, if there is such a threshold.
    """
    found = {
        question.prompt: rank(labelled.ids, order.weigh(each), weights.weigh(each))
        for question, each in zip(labelled.questions, evidence, strict=True)
    }
    measured = (
        (step, measure_quality(found.__getitem__, labelled.questions, step)) for step in THRESHOLDS
    )
    allowed = [(step, one.precision) for step, one in measured if one.injected <= INJECTED]
    precise = (step for step, precision in allowed if precision >= RELEVANT)
    lowest, _ = allowed[0] if allowed else (THRESHOLDS[-1], 0.0)
    return next(precise, lowest)


def rank(ids: Sequence[str], places: Floats, odds: Floats) -> list[tuple[str, float]]:
    """Return the first lessons and their scores.

    Args:
        ids: The ids of the lessons.
        places: What they are put in order by, of shape (lessons,).
        odds: The log odds that each is relevant, of shape (lessons,).

    """
    best = sort_best(places)
    scores = score_in_order(odds[best])[:DEPTH].tolist()
    return [(ids[number], score) for number, score in zip(best[:DEPTH], scores, strict=True)]
