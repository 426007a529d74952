"""What the ranking's evidence is worth with an embedder: cosines of two cannot be compared."""

import json
import math
import re
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from pathlib import Path

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import read_regular

SHIPPED = Path(__file__).parent / "calibrations"  # which benchmarks/fit_ranking.py makes
EVIDENCE = 2  # to be raised when the ranking changes what it weighs: calibrations are kept


@dataclass(frozen=True)
class Weights:
    """What speaks for a lesson, as a logistic regression found it.

    Args:
        nearness: For the cosine of the vectors, less what all lessons have in common.
        words: For the square root of the words' score.
        grams: For the square root of the score of pieces of words.
        bias: Against each lesson, as most lessons matter to few prompts.

    """

    nearness: float
    words: float
    grams: float
    bias: float


@dataclass(frozen=True)
class Calibration:
    """How to rank by the vectors of an embedder.

    Args:
        weights: What each kind of evidence is worth.
        threshold: What a lesson has to score to be given, from 0 to 1: hardly a prompt that no
            lesson helps is given one then.
        usual: The mean of lessons' vectors as a rule, of shape (dimensions,).

    """

    weights: Weights
    threshold: float
    usual: tuple[float, ...]


def keep_calibration(calibration: Calibration, embedder: str, folder: Path) -> None:
    """Write the calibration of an embedder into a folder, whole or not at all.

    Raises OSError where that cannot be.
    """
    kept = {"embedder": embedder, "evidence": EVIDENCE, **asdict(calibration)}
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(locate(embedder, folder)) as file:
        json.dump(kept, file, indent=2)


def read_calibration(embedder: str, folder: Path) -> Calibration | None:
    """Return the calibration that a folder has of an embedder; None where that is not sound."""
    try:
        kept = json.loads(read_regular(locate(embedder, folder)))
        if (kept["embedder"], kept["evidence"]) != (embedder, EVIDENCE):
            return None
        weights = Weights(**{name: float(value) for name, value in kept["weights"].items()})
        threshold = float(kept["threshold"])
        usual = tuple(float(value) for value in kept["usual"])
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
    sound = all(map(math.isfinite, (*astuple(weights), *usual))) and 0 <= threshold <= 1
    return Calibration(weights, threshold, usual) if sound and usual else None


def locate(embedder: str, folder: Path) -> Path:
    """Return where a folder has the calibration of an embedder, whatever its name."""
    readable = re.sub(r"[^a-z0-9.]+", "-", embedder.lower())[:60].strip("-.")
    digest = sha256(embedder.encode("utf-8", "replace")).hexdigest()[:8]
    return folder / f"calibration-{readable}-{digest}.json"
