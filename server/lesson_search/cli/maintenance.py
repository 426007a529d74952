"""Maintain the store: categories, vectors, and retrieval quality."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.editor import COMMENT, edit_text
from hookwright_console.files.atomic import write_whole
from hookwright_console.files.regular import read_regular
from hookwright_console.terminal import (
    build_table,
    count,
    draw_bar,
    dump,
    open_console,
    print_line,
    print_table,
    show_progress,
    track,
)
from hookwright_console.text import escape_hidden
from lesson_search.cli.client import ClientError
from lesson_search.cli.options import (
    JsonOption,
    Options,
    connect,
    format_counts,
    print_message,
)
from lesson_search.cli.records import NOTHING_YET, check_embedder
from lesson_search.records import Lesson, Skill
from lesson_search.retrieval.evaluation import (
    DEPTH,
    LABELLED,
    Quality,
    measure_quality,
    read_questions,
    read_set,
)

MEASURES = {  # conventional name and meaning of each measure
    "success": ("S@5", "prompts with a relevant lesson in the first five results"),
    "recall": ("R@5", "relevant lessons in the first five results"),
    "precision": ("P@3", "relevant lessons among those injected"),
    "reciprocal": ("MRR", "mean reciprocal rank of the first relevant lesson"),
    "answered": ("answered", "prompts that get a relevant lesson"),
    "wrong": ("wrong", "prompts that get only irrelevant lessons although one is relevant"),
    "silent": ("silent", "prompts that get no lesson although one is relevant"),
    "injected": ("injected", "prompts that get a lesson although none is relevant"),
}


def categories(
    context: typer.Context,
    *,
    edit: Annotated[
        bool, typer.Option("--edit", help="Edit the taxonomy in your editor (VISUAL or EDITOR).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the lessons in each category, or edit the taxonomy.

    A category includes the lessons in the categories below it.
    """
    if edit:
        edit_taxonomy(context.ensure_object(Options))
        return
    with connect(context) as client:
        counts = client.count_categories()
    if as_json:
        print(dump(counts, indent=2))
        return
    most = max(counts.values(), default=0)
    table = build_table("category", "lessons", "")
    table.columns[1].justify = "right"
    for path, number in counts.items():
        *above, name = path.split("/")
        table.add_row(
            "  " * len(above) + escape_hidden(name), f"{number:,}", draw_bar(number / most)
        )
    if counts:
        open_console().print(table)
    else:
        print_message(NOTHING_YET)


def edit_taxonomy(options: Options) -> None:
    from lesson_search.taxonomy.categories import TAXONOMY, parse_taxonomy

    if options.url:
        raise ClientError(
            f"cannot edit the taxonomy of {options.url} from here: run this on its machine"
        )
    path = options.settings.taxonomy
    try:
        text = read_regular(path if path.exists() else TAXONOMY).decode("utf-8")
    except UnicodeDecodeError:
        raise ClientError(f"{path}: not UTF-8: save it as UTF-8") from None

    def take(edited: str) -> None:
        # The editor shows a refusal as an extra first line.
        parse_taxonomy(f"{COMMENT}\n{edited}".encode(), TAXONOMY.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [edited])

    saved = f"saved {path}: apply it with lesson-search recategorize"
    print_line(saved if edit_text(text, ".yml", take, print_message) else "no change")


def recategorize(
    context: typer.Context,
    *,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Also sort those whose categories were chosen by hand."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would change.")
    ] = False,
) -> None:
    """Sort lessons and skills into categories again.

    The taxonomy may have changed since the last time.
    """
    with connect(context) as client:
        moved = client.recategorize(by_hand=by_hand, preview=dry_run)
    if moved:
        rows = [
            (escape_hidden(move.id), join_paths(move.before), join_paths(move.after))
            for move in moved
        ]
        print_table(("id", "from", "to"), rows, ("from", "to"))
    print_line(f"{count(len(moved), 'record')} {'would change' if dry_run else 'changed'}")


def join_paths(paths: Sequence[str]) -> str:
    return escape_hidden(", ".join(paths) or "none")


def reindex(context: typer.Context) -> None:
    """Embed all lessons and skills again.

    Run it to change the embedder, and stop the server first.
    """
    options = context.ensure_object(Options)
    from hookwright_retrieval.embedders.registry import open_embedder
    from lesson_search.retrieval.calibrator import find_calibration
    from lesson_search.service.startup import load_collection, open_chroma
    from lesson_search.storage.store import reindex as embed_again

    settings = options.settings
    if options.url:
        raise ClientError(
            "cannot reindex through a server: stop it, and run this on its machine without --url"
        )
    with open_chroma(settings) as chroma, show_progress("Embedding") as progress:
        embedder = open_embedder(settings.embedder, settings.model, settings.embedder_url)
        counts = embed_again(chroma, embedder, progress)
        # Chroma now has the vectors. Save the caches, since the next start would compute them
        # again.
        calibration = find_calibration(embedder, settings.data)
        load_collection(chroma, Lesson, embedder, calibration, settings.data).save_cache()
        load_collection(chroma, Skill, embedder, calibration, settings.data).save_cache()
    print_line(f"embedded {format_counts(counts)} with {embedder.model}")


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
) -> None:
    """Measure how well lessons are found.

    Each measure is a share from 0 to 1. A prompt with a relevant lesson is answered if it gets one,
    wrong if it only gets others, and silent if it gets none; at most three are given.
    """
    quality, threshold = measure_own(context, file) if file else measure_shipped(context)
    if as_json:
        print(dump({**asdict(quality), "threshold": threshold}, indent=2))
        return
    table = build_table("measure", "", "")
    for field, value in asdict(quality).items():
        name, meaning = MEASURES[field]
        table.add_row(name, f"{value:.3f}", meaning)
    open_console().print(table)
    print_message(f"lessons with a score of {100 * threshold:g}% or more are injected")


def measure_own(context: typer.Context, file: Path) -> tuple[Quality, float]:
    questions = read_questions(file)
    with connect(context) as client:
        threshold = check_embedder(client)["threshold"]
        ids = {lesson.id for lesson in client.list_records("lessons")}
        unknown = sorted({identity for question in questions for identity in question.wanted} - ids)
        if unknown:
            more = f" (and {len(unknown) - 1:,} more)" if len(unknown) > 1 else ""
            print_message(f"no lesson has the id '{unknown[0]}'{more}: it counts as not found")

        def search(prompt: str) -> list[tuple[str, float]]:
            answer = client.query(prompt, top_k=DEPTH, min_score=0)
            return [(row["id"], row["score"]) for row in answer["lessons"]]

        return measure_quality(search, track("Asking", questions), threshold), threshold


def measure_shipped(context: typer.Context) -> tuple[Quality, float]:
    from hookwright_retrieval.embedders.registry import open_embedder
    from lesson_search.retrieval.calibrator import embed_lessons, find_calibration
    from lesson_search.retrieval.ranking import Ranker, build_index_data

    settings = context.ensure_object(Options).settings
    embedder = open_embedder(settings.embedder, settings.model, settings.embedder_url)
    calibration = find_calibration(embedder, settings.data)
    labelled = read_set(LABELLED)
    index_data = build_index_data(labelled.texts, embed_lessons(labelled.texts, embedder))
    ranker = Ranker(embedder, calibration, index_data)

    def search(prompt: str) -> list[tuple[str, float]]:
        return [(labelled.ids[match.number], match.score) for match in ranker.rank(prompt, DEPTH)]

    threshold = calibration.threshold
    return measure_quality(search, track("Asking", labelled.questions), threshold), threshold
