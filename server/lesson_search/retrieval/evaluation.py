"""Measure retrieval quality, using prompts with known relevant lessons."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hookwright_console.errors import RefusedError
from lesson_search.files.folders import read_files
from lesson_search.files.json_lines import parse_object
from lesson_search.files.reader import MAX_SIZE, read_text, show_path

LABELLED = Path(__file__).parent / "labelled"  # the shipped lessons and questions
DEPTH = 10  # results that count for the mean reciprocal rank


@dataclass(frozen=True)
class LabelledPrompt:
    """A prompt, and the IDs of its relevant lessons, if any."""

    prompt: str
    wanted: frozenset[str]


@dataclass(frozen=True)
class LabelledSet:
    """Lessons, and questions that some or none of the lessons answer."""

    ids: list[str]
    texts: list[str]
    questions: list[LabelledPrompt]


@dataclass(frozen=True)
class Quality:
    """Retrieval quality; each measure is between 0 and 1."""

    success: float  # S@5, the share of prompts with a relevant lesson in the first five results
    recall: float  # R@5, the share of relevant lessons in the first five results
    precision: float  # P@3, the share of relevant lessons in the first three above the threshold
    reciprocal: float  # MRR, the mean reciprocal rank of the first relevant lesson
    answered: float  # share of prompts with a relevant lesson that get it among three
    wrong: float  # share of those prompts that only get irrelevant lessons
    silent: float  # share of those prompts that get no lesson; the three shares sum to 1
    injected: float  # share of prompts without a relevant lesson that still get one


# Maps a prompt to lesson IDs and scores, best first.
Search = Callable[[str], Sequence[tuple[str, float]]]


def read_set(folder: Path) -> LabelledSet:
    lessons = read_files([folder / "lessons.jsonl"]).locations
    questions = read_questions(folder / "questions.jsonl")
    ids, texts = [lesson.id for lesson in lessons], [lesson.text for lesson in lessons]
    return LabelledSet(ids, texts, questions)


def read_questions(path: Path) -> list[LabelledPrompt]:
    """Return the questions in a JSON Lines file with "prompt" and "wanted" fields."""
    place = show_path(path)
    questions = []
    try:
        text = read_text(path, MAX_SIZE, "strict").removeprefix("\ufeff")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                place = f"{show_path(path)}:{number}"
                questions.append(read_question(line))
    except RefusedError as refused:
        raise RefusedError(f"{place}: {refused}") from None
    if not questions:
        raise RefusedError(f"{place}: has no questions: write one JSON object per line")
    return questions


def read_question(line: str) -> LabelledPrompt:
    row = parse_object(line)
    prompt, wanted = row.get("prompt"), row.get("wanted")
    is_prompt = isinstance(prompt, str) and prompt.strip() and row.keys() == {"prompt", "wanted"}
    if not is_prompt or not isinstance(wanted, list) or not all(isinstance(i, str) for i in wanted):
        raise RefusedError(
            'expected {"prompt": "...", "wanted": ["ID"]}, with [] if no lesson is relevant'
        )
    return LabelledPrompt(str(prompt), frozenset(wanted))


def measure_quality(
    search: Search, questions: Iterable[LabelledPrompt], threshold: float
) -> Quality:
    """Measure how well a search answers questions, with at most three lessons injected.

    The search must return ten lessons, or all lessons if there are fewer.
    """
    helped, injected = [], []  # measures of prompts with and without a relevant lesson
    for question in questions:
        found = search(question.prompt)
        ids = [lesson for lesson, _ in found]
        over = [lesson for lesson, score in found[:3] if score >= threshold]
        if not question.wanted:
            injected.append(bool(over))
            continue
        first = next(
            (n for n, identity in enumerate(ids[:DEPTH], 1) if identity in question.wanted), 0
        )
        near, returned = question.wanted & set(ids[:5]), question.wanted & set(over)
        helped.append(
            (
                bool(near),
                len(near) / len(question.wanted),
                1 / first if first else 0,
                bool(returned),
                bool(over) and not returned,
                not over,
                len(returned),
                len(over),
            )
        )
    sums = [sum(values) for values in zip(*helped, strict=True)] or [0] * 8
    *means, _, _ = (total / max(1, len(helped)) for total in sums)
    success, recall, reciprocal, answered, wrong, silent = means
    precision = sums[6] / max(1, sums[7])
    share = sum(injected) / max(1, len(injected))
    return Quality(success, recall, precision, reciprocal, answered, wrong, silent, share)
