"""Fit the weights of the ranking to the labelled lessons, by a logistic regression."""

import sys
from dataclasses import astuple

import numpy as np
import numpy.typing as npt

from labelled import LABELLED, read_set
from lesson_search.embedders import WordLlamaEmbedder
from lesson_search.ranking import WEIGHTS, Ranker, Weights
from workload import ROOT

CANDIDATES = 20  # of each question, those that the present weights rank best
STEPS, RATE = 4_000, 0.5


def main() -> int:
    """Print the weights; return 0."""
    embedder = WordLlamaEmbedder()
    labelled = read_set(LABELLED)
    ranker = Ranker(embedder)
    ranker.add(labelled.texts)
    present = np.array(astuple(WEIGHTS[embedder.name])[:3])
    rows, labels = [], []
    for question in labelled.questions:
        features = np.stack(ranker.list_evidence(question.prompt), axis=-1).astype(float)
        for number in np.argsort(-features @ present)[:CANDIDATES]:
            rows.append(features[number])
            labels.append(labelled.ids[number] in question.wanted)
    print(f"{embedder.name}:", fit(np.array(rows), np.array(labels, float)))
    print(f"put it into {(ROOT / 'server/lesson_search/ranking.py').relative_to(ROOT)}")
    return 0


def fit(rows: npt.NDArray[np.float64], labels: npt.NDArray[np.float64]) -> Weights:
    """Return the weights by gradient descent on the standardised rows."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    standard = (rows - mean) / spread
    weights, bias = np.zeros(rows.shape[1]), 0.0
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-(standard @ weights + bias)))
        weights -= RATE * standard.T @ (chances - labels) / len(labels)
        bias -= RATE * float((chances - labels).mean())
    weights /= spread
    nearness, words, grams = (round(float(weight), 2) for weight in weights)
    return Weights(nearness, words, grams, round(bias - float(weights @ mean), 2))


if __name__ == "__main__":
    sys.exit(main())
