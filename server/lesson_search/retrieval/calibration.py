"""Turn evidence into scores, for one embedder: cosines of two are not comparable."""

import json
import math
import re
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_regular
from hookwright_retrieval.arrays import multiply_rows

SHIPPED = Path(__file__).parent / "calibrations"  # made by benchmarks/fit_ranking.py
THRESHOLD_STEPS = 200  # thresholds from 0 to 1, in half percents, because most scores are low
EVIDENCE = 9  # increase it when the evidence changes, to invalidate saved calibrations

EvidenceArray = npt.NDArray[np.float64]  # similarity, words and tokens: a row per lesson
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The weights of the evidence in the log odds that a lesson is relevant."""

    similarity: float  # of the cosine of the vectors, less what all have in common
    words: float  # of the BM25 score
    # of the similarity between the tokens of the prompt and the lesson, and of its opening
    tokens: float
    bias: float  # for every lesson; negative, since most lessons matter to few prompts

    def weigh(self, evidence: EvidenceArray) -> Floats:
        """Return the log odds, of shape (lessons,), for evidence of shape (lessons, 3)."""
        weights = np.array([self.similarity, self.words, self.tokens])
        odds: Floats = multiply_rows(evidence, weights) + self.bias
        return odds


@dataclass(frozen=True)
class Calibration:
    """How to rank with an embedder's vectors."""

    weights: Weights  # from a logistic regression
    # lowest score to inject, from 0 to 1; few prompts without a relevant lesson get one at this
    # threshold
    threshold: float
    mean_vector: tuple[float, ...]  # mean vector of typical lessons, of shape (dimensions,)


def save_calibration(calibration: Calibration, embedder: str, folder: Path) -> None:
    saved = {"embedder": embedder, "evidence": EVIDENCE, **asdict(calibration)}
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(locate(embedder, folder)) as file:
        json.dump(saved, file, indent=2)


def read_calibration(embedder: str, folder: Path) -> Calibration | None:
    """Return the saved calibration of an embedder, or None if it is missing or invalid."""
    try:
        saved = json.loads(read_regular(locate(embedder, folder)))
        if (saved["embedder"], saved["evidence"]) != (embedder, EVIDENCE):
            return None
        weights = Weights(**{name: float(value) for name, value in saved["weights"].items()})
        threshold = float(saved["threshold"])
        mean_vector = tuple(float(value) for value in saved["mean_vector"])
    except (
        OSError,
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        RecursionError,
    ):
        return None
    sound = all(map(math.isfinite, (*astuple(weights), *mean_vector))) and 0 <= threshold <= 1
    return Calibration(weights, threshold, mean_vector) if sound and mean_vector else None


def locate(embedder: str, folder: Path) -> Path:
    readable = re.sub(r"[^a-z0-9.]+", "-", embedder.lower())[:60].strip("-.")
    digest = sha256(embedder.encode("utf-8", "replace")).hexdigest()[:8]
    return folder / f"calibration-{readable}-{digest}.json"
