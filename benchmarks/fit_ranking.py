"""Fit the weights of the ranking to the labelled lessons, by a logistic regression."""

import sys
from dataclasses import astuple

import numpy as np
import numpy.typing as npt

from labelled import LABELLED, read_set
from lesson_search.embedders import WordLlamaEmbedder
from lesson_search.ranking import WEIGHTS, Ranker, Weights
from lesson_search.terms import list_grams, list_words
from workload import ROOT

CANDIDATES = 20  # of each question, those that the present weights rank best
STEPS, RATE = 4_000, 0.5


class Evidence(Ranker):
    """A ranker that tells what speaks for each lesson."""

    def list_evidence(self, prompt: str) -> npt.NDArray[np.float64]:
        """Return nearness, words and grams of each lesson, of shape (lessons, 3)."""
        words = np.sqrt(self._words.score(list_words(prompt)))
        grams = np.sqrt(self._grams.score(list_grams(prompt)))
        return np.stack([self._score_nearness(prompt), words, grams], axis=-1).astype(float)


def main() -> int:
    """Print the weights; return 0."""
    embedder = WordLlamaEmbedder()
    labelled = read_set(LABELLED)
    evidence = Evidence(embedder)
    evidence.add(labelled.texts)
    present = np.array(astuple(WEIGHTS[embedder.name])[:3])
    rows, labels = [], []
    for question in labelled.questions:
        features = evidence.list_evidence(question.prompt)
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
