"""Fit the scores to an embedder using labelled lessons, and measure thresholds."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.arrays import Integers
from hookwright_retrieval.embedders import Embedder, EmbedderError, Vectors
from lesson_search.retrieval.calibration import (
    SHIPPED,
    THRESHOLD_STEPS,
    Calibration,
    EvidenceArray,
    Weights,
    read_calibration,
    save_calibration,
)
from lesson_search.retrieval.evaluation import (
    DEPTH,
    LABELLED,
    LabelledSet,
    Quality,
    measure_quality,
    read_set,
)
from lesson_search.retrieval.ranking import Ranker, score_in_order

BATCH = 20  # lessons between two progress updates
FEW = 3  # top lessons per question used to fit the weights, as many as are injected
UNFITTED = Weights(0.0, 0.0, 0.0, 0.0)
STEPS, RATE = 4_000, 0.5
INJECTED = 0.04  # allowed share of prompts that get a lesson although none is relevant
RELEVANT = 0.5  # minimum share of relevant lessons among those injected
THRESHOLDS = [step / THRESHOLD_STEPS for step in range(1, THRESHOLD_STEPS)]

Found = tuple[Integers, EvidenceArray]  # indices of lessons in order, and the evidence for each
Progress = Callable[[int, int], None]  # called with the number of texts done and the total


def find_calibration(
    embedder: Embedder, folder: Path, progress: Progress | None = None
) -> Calibration:
    """Return an embedder's calibration: shipped, saved or newly fitted.

    Args:
        embedder: The embedder. Fitting with a remote service may take a minute.
        folder: The folder in which a new calibration is saved.
        progress: Called with the number of texts done and the total while a new calibration is
            fitted.

    Raises:
        EmbedderError: The embedder needs a new calibration but is down.

    """
    for known in (SHIPPED, folder):
        if calibration := read_calibration(embedder.name, known):
            return calibration
    fitted = fit_calibration(embedder, progress)
    with suppress(OSError):  # unsaved, it is fitted again at the next start
        save_calibration(fitted, embedder.name, folder)
    return fitted


def fit_calibration(embedder: Embedder, progress: Progress | None = None) -> Calibration:
    """Fit a calibration to the labelled lessons; raises EmbedderError."""
    labelled = read_set(LABELLED)
    vectors = embed_lessons(labelled, embedder, progress)
    mean_vector = tuple(round(float(value), 5) for value in vectors.mean(axis=0))
    ranker = Ranker(embedder, Calibration(UNFITTED, 0, mean_vector))
    ranker.add(labelled.texts, vectors)
    found = find_first(labelled, embedder, ranker, progress)
    rows = np.concatenate([evidence[:FEW] for _, evidence in found])
    labels = [
        labelled.ids[number] in question.wanted
        for question, (numbers, _) in zip(labelled.questions, found, strict=True)
        for number in numbers[:FEW]
    ]
    weights = regress(rows, np.array(labels, float))
    return Calibration(weights, find_threshold(labelled, found, weights), mean_vector)


def embed_lessons(labelled: LabelledSet, embedder: Embedder, progress: Progress | None) -> Vectors:
    parts = []
    for start in range(0, len(labelled.texts), BATCH):
        batch = labelled.texts[start : start + BATCH]
        parts.append(embedder.embed_documents(batch))
        if progress:
            progress(start + len(batch), len(labelled.texts) + len(labelled.questions))
    return np.concatenate(parts)


def find_first(
    labelled: LabelledSet, embedder: Embedder, ranker: Ranker, progress: Progress | None
) -> list[Found]:
    total = len(labelled.texts) + len(labelled.questions)
    found = []
    for number, question in enumerate(labelled.questions, start=len(labelled.texts) + 1):
        try:
            each = ranker.find(question.prompt, DEPTH)[:2]
        except EmbedderError:
            if not embedder.check():  # no request waits here, so a slow embedder is retried
                raise
            each = ranker.find(question.prompt, DEPTH)[:2]
        found.append(each)
        if progress:
            progress(number, total)
    return found


def regress(rows: EvidenceArray, labels: npt.NDArray[np.float64]) -> Weights:
    mean, spread = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)
    standard = (rows - mean) / spread
    weights, bias = np.zeros(rows.shape[1]), 0.0
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-(standard @ weights + bias)))
        weights -= RATE * standard.T @ (chances - labels) / len(labels)
        weights = np.maximum(weights, 0)  # similarity is never evidence against a lesson
        bias -= RATE * float((chances - labels).mean())
    weights /= spread
    similarity, words, tokens = (round(float(weight), 2) for weight in weights)
    return Weights(similarity, words, tokens, round(bias - float(weights @ mean), 2))


def find_threshold(labelled: LabelledSet, found: Sequence[Found], weights: Weights) -> float:
    """Return the lowest threshold that few prompts without a relevant lesson exceed.

    If possible, most lessons injected at this threshold are also relevant.
    """
    ranked = {
        question.prompt: [
            (labelled.ids[number], score)
            for number, score in zip(
                numbers[:DEPTH].tolist(), score_in_order(weights.weigh(evidence)), strict=False
            )
        ]
        for question, (numbers, evidence) in zip(labelled.questions, found, strict=True)
    }
    measured = (
        (step, measure_quality(ranked.__getitem__, labelled.questions, step)) for step in THRESHOLDS
    )
    allowed = [
        (step, outcome.precision) for step, outcome in measured if outcome.injected <= INJECTED
    ]
    precise = (step for step, precision in allowed if precision >= RELEVANT)
    lowest, _ = allowed[0] if allowed else (THRESHOLDS[-1], 0.0)
    return next(precise, lowest)


@dataclass(frozen=True)
class Outcome(Quality):
    """The effect of a threshold."""

    min_score: float


@lru_cache(maxsize=1)  # takes a second; the result never changes
def measure_thresholds(embedder: Embedder, calibration: Calibration) -> list[Outcome]:
    """Return the effect of each threshold on the shipped prompts; raises EmbedderError."""
    labelled = read_set(LABELLED)
    ranker = Ranker(embedder, calibration)
    ranker.add(labelled.texts)
    found = {
        question.prompt: [
            (labelled.ids[hit.number], hit.score) for hit in ranker.rank(question.prompt, DEPTH)
        ]
        for question in labelled.questions
    }
    outcomes = []
    for step in range(THRESHOLD_STEPS + 1):
        least = step / THRESHOLD_STEPS
        quality = measure_quality(found.__getitem__, labelled.questions, least)
        outcomes.append(Outcome(**vars(quality), min_score=least))
    return outcomes
