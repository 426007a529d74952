"""Measure how well and how fast lessons are found, compared with the plain design."""

import statistics
import sys
import time

import numpy as np
from rich.table import Table

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.retrieval.calibration import SHIPPED
from lesson_search.retrieval.calibrator import find_calibration
from lesson_search.retrieval.evaluation import (
    LABELLED,
    LabelledSet,
    Quality,
    Search,
    measure_quality,
    read_set,
)
from lesson_search.retrieval.ranking import Ranker, build_index_data

from .labelled import HELD_OUT, search_plainly, search_ranked
from .reporting import report

PLAIN_THRESHOLD = 0.5  # injects as often as the ranking on the labelled lessons
GAIN = 1.15  # minimum S@5, as a multiple of the plain design's
INJECTED = 0.05  # maximum share of prompts that get lessons although no lesson helps
ROUNDS = 5
SIZES = (1_000, 10_000, 100_000)  # numbers of lessons


def main() -> int:
    """Print the tables; return 1 if a limit is missed."""
    embedder = WordLlamaEmbedder()
    calibration = find_calibration(embedder, SHIPPED)
    sets = {"labelled": read_set(LABELLED), "held out": read_set(HELD_OUT)}
    table = Table(title="Retrieval by wordllama")
    measures = ("S@5", "R@5", "P@3", "MRR", "answered", "wrong", "silent", "injected")
    for column in ("lessons", "search", *measures, "ms"):
        table.add_column(column)
    missed, injected = False, []
    for name, labelled in sets.items():
        rows = [
            measure(search_plainly(labelled, embedder), labelled, PLAIN_THRESHOLD),
            measure(
                search_ranked(labelled, embedder, calibration), labelled, calibration.threshold
            ),
        ]
        for kind, (quality, milliseconds) in zip(("plain", "ranked"), rows, strict=True):
            table.add_row(name, kind, *show(quality), f"{milliseconds:.2f}")
        (plain, _), (ranked, _) = rows
        missed |= ranked.success < GAIN * plain.success
        injected.append(ranked.injected)
    missed |= max(injected) > INJECTED
    tables = table, time_ranking(sets["labelled"])
    report("lessons", *tables, about=__doc__)
    return int(missed)


def time_ranking(labelled: LabelledSet) -> Table:
    table = Table(title="Ranking")
    for column in ("lessons", "added a second", "first ms", "p50 ms", "p99 ms"):
        table.add_column(column)
    texts = labelled.texts
    embedder = WordLlamaEmbedder()
    for number in SIZES:
        calibration = find_calibration(embedder, SHIPPED)
        many = [
            f"{texts[n % len(texts)]} {texts[n * 7 % len(texts)][:80]} {n}" for n in range(number)
        ]
        start = time.perf_counter()
        index_data = build_index_data(many, embedder.embed_documents(many))
        ranker = Ranker(embedder, calibration, index_data)
        added = number / (time.perf_counter() - start)
        times = []
        for question in labelled.questions:
            start = time.perf_counter()
            ranker.rank(question.prompt, 5)
            times.append((time.perf_counter() - start) * 1000)
        p50, p99 = np.percentile(times[1:], [50, 99])
        row = (f"{number:,}", f"{added:,.0f}", f"{times[0]:.1f}", f"{p50:.1f}", f"{p99:.1f}")
        table.add_row(*row)
    return table


def measure(search: Search, labelled: LabelledSet, threshold: float) -> tuple[Quality, float]:
    """Return a search's quality, and its time in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for question in labelled.questions:
            search(question.prompt)
        times.append((time.perf_counter() - start) / len(labelled.questions) * 1000)
    return measure_quality(search, labelled.questions, threshold), statistics.median(times)


def show(quality: Quality) -> list[str]:
    return [
        f"{number:.3f}"
        for number in (
            quality.success,
            quality.recall,
            quality.precision,
            quality.reciprocal,
            quality.answered,
            quality.wrong,
            quality.silent,
            quality.injected,
        )
    ]


if __name__ == "__main__":
    sys.exit(main())
