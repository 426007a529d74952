"""Measure how well lessons are found, by prompts of which it is known what helps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hookwright_console.errors import RefusedError
from lesson_search.files.json_lines import check_fields, read_object
from lesson_search.files.reader import LARGEST, read_lessons, read_text, show_path

LABELLED = Path(__file__).parent / "labelled"  # the lessons and questions that are shipped
DEPTH = 10  # how far down the list a wanted lesson counts for the mean reciprocal rank


@dataclass(frozen=True)
class Question:
    """A prompt, and the ids of the lessons that help; none where no lesson does."""

    prompt: str
    wanted: frozenset[str]


@dataclass(frozen=True)
class LabelledSet:
    """Lessons by their ids, and questions that these answer, or that none does."""

    ids: list[str]
    texts: list[str]
    questions: list[Question]


@dataclass(frozen=True)
class Quality:
    """How well lessons are found, each from 0 to 1.

    Args:
        success: S@5, the share of prompts that have a wanted lesson among the first five.
        recall: R@5, the share of wanted lessons that are among the first five.
        precision: P@3, the share of wanted ones among the first three, over the threshold.
        reciprocal: MRR, the mean of one over the first wanted lesson's place.
        answered: The share of prompts that are given a wanted lesson, over the threshold.
        injected: The share of prompts that no lesson helps which are given one all the same.

    """

    success: float
    recall: float
    precision: float
    reciprocal: float
    answered: float
    injected: float


# A prompt to the ids and scores of lessons, the best first.
Search = Callable[[str], Sequence[tuple[str, float]]]


def read_set(folder: Path) -> LabelledSet:
    """Return the lessons and questions in a folder."""
    lessons = read_lessons(folder / "lessons.jsonl").lessons
    questions = read_questions(folder / "questions.jsonl")
    ids, texts = [lesson.id for lesson in lessons], [lesson.text for lesson in lessons]
    return LabelledSet(ids, texts, questions)


def read_questions(path: Path) -> list[Question]:
    """Return the questions in a file of JSON Lines with "prompt" and "wanted".

    Raises:
        RefusedError: It cannot be read, has none, or has a line that is no question.

    """
    place = show_path(path)
    questions = []
    try:
        text = read_text(path, LARGEST).removeprefix("\ufeff")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                place = f"{show_path(path)}:{number}"
                questions.append(read_question(line))
    except RefusedError as refused:
        raise RefusedError(f"{place}: {refused}") from None
    if not questions:
        raise RefusedError(f"{place}: has no questions: write one a line, as JSON")
    return questions


def read_question(line: str) -> Question:
    """Return the question in a line of JSON.

    Raises:
        RefusedError: There is none, or a field of it is not as it should be.

    """
    row = read_object(line)
    check_fields(row, ("prompt", "wanted"))
    prompt, wanted = row.get("prompt"), row.get("wanted")
    if not isinstance(prompt, str) or not prompt.strip():
        raise RefusedError('has no prompt: write {"prompt": "...", "wanted": ["ID"]}')
    if not isinstance(wanted, list) or not all(isinstance(one, str) for one in wanted):
        raise RefusedError("wanted is no list of ids: write [] where no lesson helps")
    return Question(prompt, frozenset(wanted))


def measure_quality(search: Search, questions: Sequence[Question], threshold: float) -> Quality:
    """Return how well a search answers the questions.

    Args:
        search: Gives at least ten lessons, where there are as many.
        questions: Of both kinds: some that lessons answer, some that none does.
        threshold: What a lesson has to score to be given, of three at the most.

    """
    success: list[float] = []
    recall: list[float] = []
    reciprocal: list[float] = []
    answered: list[float] = []
    injected: list[float] = []
    given = right = 0
    for question in questions:
        found = search(question.prompt)
        ids = [lesson for lesson, _ in found]
        over = [lesson for lesson, score in found[:3] if score >= threshold]
        if not question.wanted:
            injected.append(bool(over))
            continue
        first = next((n for n, one in enumerate(ids[:DEPTH], 1) if one in question.wanted), None)
        success.append(not question.wanted.isdisjoint(ids[:5]))
        recall.append(len(question.wanted & set(ids[:5])) / len(question.wanted))
        reciprocal.append(1 / first if first else 0)
        given += len(over)
        right += len(question.wanted & set(over))
        answered.append(not question.wanted.isdisjoint(over))
    precision = right / max(1, given)
    return Quality(
        mean(success), mean(recall), precision, mean(reciprocal), mean(answered), mean(injected)
    )


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values, 0 where there is none."""
    return sum(values) / max(1, len(values))
