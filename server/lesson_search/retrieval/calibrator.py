"""Fit the scores to an embedder using labelled lessons, and measure thresholds."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_console.terminal import track
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
    LabelledPrompt,
    LabelledSet,
    Quality,
    measure_quality,
    read_set,
)
from lesson_search.retrieval.ranking import Ordered, Ranker, build_index_data, score_in_order

BATCH = 20  # lessons between two progress updates
FEW = 3  # top lessons per question used to fit the weights, as many as are injected
UNFITTED = Weights(0.0, 0.0, 0.0, 0.0)
STEPS, RATE = 4_000, 0.5
INJECTED = 0.04  # allowed share of prompts that get a lesson although none is relevant
RELEVANT = 0.5  # minimum share of relevant lessons among those injected

Scored = Mapping[str, Sequence[tuple[str, float]]]  # by prompt: lesson IDs and scores, best first


def find_calibration(embedder: Embedder, folder: Path) -> Calibration:
    """Return an embedder's calibration: shipped, saved in a folder, or newly fitted and saved.

    Fitting with a remote service may take a minute. Raises EmbedderError.
    """
    for known in (SHIPPED, folder):
        if calibration := read_calibration(embedder.name, known):
            return calibration
    fitted = fit_calibration(embedder)
    with suppress(OSError):  # unsaved, it is fitted again at the next start
        save_calibration(fitted, embedder.name, folder)
    return fitted


def fit_calibration(embedder: Embedder) -> Calibration:
    """Fit a calibration to the labelled lessons; raises EmbedderError."""
    labelled = read_set(LABELLED)
    vectors = embed_lessons(labelled.texts, embedder)
    mean_vector = tuple(round(float(value), 5) for value in vectors.mean(axis=0))
    index_data = build_index_data(labelled.texts, vectors)
    ranker = Ranker(embedder, Calibration(UNFITTED, 0, mean_vector), index_data)
    questions = track("Calibrating the ranking", labelled.questions)
    found = [find_first(question.prompt, embedder, ranker) for question in questions]
    rows = np.concatenate([each.evidence[:FEW] for each in found])
    labels = [
        labelled.ids[number] in question.wanted
        for question, each in zip(labelled.questions, found, strict=True)
        for number in each.numbers[:FEW]
    ]
    weights = regress(rows, np.array(labels, float))
    return Calibration(weights, find_threshold(labelled, found, weights), mean_vector)


def embed_lessons(texts: Sequence[str], embedder: Embedder) -> Vectors:
    batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
    return np.concatenate(list(map(embedder.embed_documents, track("Embedding", batches))))


def find_first(prompt: str, embedder: Embedder, ranker: Ranker) -> Ordered:
    with suppress(EmbedderError):
        return ranker.find(prompt, DEPTH)
    embedder.check()  # no request waits here, so a slow embedder is retried
    return ranker.find(prompt, DEPTH)


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


@dataclass(frozen=True)
class Outcome(Quality):
    """The effect of a threshold."""

    min_score: float


def find_threshold(labelled: LabelledSet, found: Sequence[Ordered], weights: Weights) -> float:
    """Return the lowest threshold that few prompts without a relevant lesson exceed.

    If possible, most lessons injected at this threshold are also relevant.
    """
    ranked = {
        question.prompt: [
            (labelled.ids[number], score)
            for number, score in zip(
                each.numbers[:DEPTH], score_in_order(weights.weigh(each.evidence)), strict=False
            )
        ]
        for question, each in zip(labelled.questions, found, strict=True)
    }
    *outcomes, last = measure_each(ranked, labelled.questions)[1:-1]
    allowed = [outcome for outcome in outcomes if outcome.injected <= INJECTED] or [last]
    precise = (outcome for outcome in allowed if outcome.precision >= RELEVANT)
    return next(precise, allowed[0]).min_score


@lru_cache(maxsize=1)  # takes a second; the result never changes
def measure_thresholds(embedder: Embedder, calibration: Calibration) -> list[Outcome]:
    """Return the effect of each threshold on the shipped prompts; raises EmbedderError."""
    labelled = read_set(LABELLED)
    index_data = build_index_data(labelled.texts, embedder.embed_documents(labelled.texts))
    ranker = Ranker(embedder, calibration, index_data)
    found = {
        question.prompt: [
            (labelled.ids[hit.number], hit.score) for hit in ranker.rank(question.prompt, DEPTH)
        ]
        for question in labelled.questions
    }
    return measure_each(found, labelled.questions)


def measure_each(found: Scored, questions: Sequence[LabelledPrompt]) -> list[Outcome]:
    steps = (step / THRESHOLD_STEPS for step in range(THRESHOLD_STEPS + 1))
    return [
        Outcome(**vars(measure_quality(found.__getitem__, questions, least)), min_score=least)
        for least in steps
    ]
