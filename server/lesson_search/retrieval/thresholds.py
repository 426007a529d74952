"""Tell what each threshold would do to prompts whose relevant lessons are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hookwright_retrieval.embedders import Embedder
from lesson_search.retrieval.calibration import THRESHOLD_STEPS, Calibration
from lesson_search.retrieval.evaluation import LABELLED, LabelledPrompt, measure_quality, read_set
from lesson_search.retrieval.ranking import Ranker

MAX_LESSONS = 10  # lessons of a prompt


@dataclass(frozen=True)
class Outcome:
    """What a threshold does; the fields are as in `Quality`."""

    min_score: float
    answered: float
    wrong: float
    silent: float
    injected: float


@lru_cache(maxsize=1)  # it takes a second, and answers the same
def measure_thresholds(embedder: Embedder, calibration: Calibration) -> list[Outcome]:
    """Return what each threshold does to the shipped prompts; raises EmbedderError."""
    labelled = read_set(LABELLED)
    ranker = Ranker(embedder, calibration)
    ranker.add(labelled.texts)
    found = {
        question.prompt: [
            (labelled.ids[hit.number], hit.score)
            for hit in ranker.rank(question.prompt, MAX_LESSONS)
        ]
        for question in labelled.questions
    }
    return [
        measure(found, labelled.questions, step / THRESHOLD_STEPS)
        for step in range(THRESHOLD_STEPS + 1)
    ]


def measure(
    found: dict[str, list[tuple[str, float]]], questions: Sequence[LabelledPrompt], least: float
) -> Outcome:
    quality = measure_quality(found.__getitem__, questions, least)
    return Outcome(least, quality.answered, quality.wrong, quality.silent, quality.injected)
