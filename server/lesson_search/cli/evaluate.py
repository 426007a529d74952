"""Measure how well lessons are found."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.tables import build_table
from hookwright_console.terminal import (
    dump,
    open_console,
    show_progress,
)
from lesson_search.cli.options import JsonOption, Options, print_message
from lesson_search.cli.query import check_embedder
from lesson_search.retrieval.evaluation import (
    DEPTH,
    LABELLED,
    LabelledPrompt,
    Quality,
    Search,
    measure_quality,
    read_questions,
    read_set,
)

BATCH = 20  # lessons between two updates of the progress bar
MEASURES = {  # the usual name and the meaning of each
    "success": ("S@5", "prompts with a relevant lesson in the first five results"),
    "recall": ("R@5", "relevant lessons in the first five results"),
    "precision": ("P@3", "relevant lessons among those injected"),
    "reciprocal": ("MRR", "mean reciprocal rank of the first relevant lesson"),
    "answered": ("answered", "prompts with a relevant lesson that get one"),
    "wrong": ("wrong", "prompts with a relevant lesson that only get others"),
    "silent": ("silent", "prompts with a relevant lesson that get none"),
    "injected": ("injected", "prompts without a relevant lesson that get one"),
}


def evaluate(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help='Lines such as {"prompt": "...", "wanted": ["ID"]}, with [] if no lesson is '
            "relevant. The default is the shipped set of lessons and questions.",
            show_default=False,
        ),
    ] = None,
    *,
    as_json: JsonOption = False,
) -> int:
    """Measure how well lessons are found.

    Each measure is a share from 0 to 1. A prompt with a relevant lesson is answered if it gets one,
    wrong if it only gets others, and silent if it gets none; at most three are given.
    """
    options = context.ensure_object(Options)
    quality, threshold = measure_own(options, file) if file else measure_shipped(options)
    if as_json:
        print(dump({**asdict(quality), "threshold": threshold}, indent=2))
        return 0
    table = build_table("measure", "", "")
    for field, value in asdict(quality).items():
        name, meaning = MEASURES[field]
        table.add_row(name, f"{value:.3f}", meaning)
    open_console().print(table)
    print_message(f"lessons with a score of {100 * threshold:g}% or more are injected")
    return 0


def measure_own(options: Options, file: Path) -> tuple[Quality, float]:
    questions = read_questions(file)
    with options.connect() as client:
        check_embedder(client)
        threshold = client.read_health()["threshold"]
        ids = {lesson.id for lesson in client.list_records("lessons")}
        unknown = sorted({one for question in questions for one in question.wanted} - ids)
        if unknown:
            more = f" (and {len(unknown) - 1:,} more)" if len(unknown) > 1 else ""
            print_message(f"no lesson has the id '{unknown[0]}'{more}: it counts as not found")

        def search(prompt: str) -> list[tuple[str, float]]:
            answer = client.query(prompt, top_k=DEPTH, min_score=0)
            return [(row["id"], row["score"]) for row in answer["lessons"]]

        return measure(search, questions, threshold), threshold


def measure_shipped(options: Options) -> tuple[Quality, float]:
    from hookwright_retrieval.embedders.registry import open_embedder
    from lesson_search.retrieval.calibrator import find_calibration
    from lesson_search.retrieval.ranking import Ranker

    settings = options.settings
    embedder = open_embedder(settings.embedder, settings.model, settings.embedder_url)
    with show_progress("Calibrating the ranking") as progress:
        calibration = find_calibration(embedder, settings.data, progress)
    labelled = read_set(LABELLED)
    ranker = Ranker(embedder, calibration)
    with show_progress("Embedding") as progress:
        for start in range(0, len(labelled.texts), BATCH):
            ranker.add(labelled.texts[start : start + BATCH])
            progress(min(start + BATCH, len(labelled.texts)), len(labelled.texts))

    def search(prompt: str) -> list[tuple[str, float]]:
        return [(labelled.ids[match.number], match.score) for match in ranker.rank(prompt, DEPTH)]

    quality = measure(search, labelled.questions, calibration.threshold)
    return quality, calibration.threshold


def measure(search: Search, questions: Sequence[LabelledPrompt], threshold: float) -> Quality:
    done = 0
    with show_progress("Asking") as progress:

        def search_and_count(prompt: str) -> Sequence[tuple[str, float]]:
            nonlocal done
            done += 1
            progress(done, len(questions))
            return search(prompt)

        return measure_quality(search_and_count, questions, threshold)
