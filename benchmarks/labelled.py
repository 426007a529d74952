"""The labelled lessons that retrieval is fitted to and measured by, and two ways to search them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lesson_search.embedders import Embedder
from lesson_search.evaluation import Question, Search, read_questions
from lesson_search.ranking import Ranker
from lesson_search.reading import read_lessons
from workload import ROOT

LABELLED = ROOT / "server" / "labelled"
HELD_OUT = ROOT / "benchmarks" / "held-out"
DEPTH = 10


@dataclass(frozen=True)
class LabelledSet:
    """Lessons by their ids, and questions that these answer, or that none does."""

    ids: list[str]
    texts: list[str]
    questions: list[Question]


def read_set(folder: Path) -> LabelledSet:
    """Return the lessons and questions in a folder."""
    lessons = read_lessons(folder / "lessons.jsonl").lessons
    questions = read_questions(folder / "questions.jsonl")
    ids, texts = [lesson.id for lesson in lessons], [lesson.text for lesson in lessons]
    return LabelledSet(ids, texts, questions)


def search_plainly(labelled: LabelledSet, embedder: Embedder) -> Search:
    """Return the plain design: one vector a lesson, and the nearest by cosine."""
    vectors = embedder.embed_documents(labelled.texts)

    def search(prompt: str) -> list[tuple[str, float]]:
        cosines = vectors @ embedder.embed_query(prompt)
        return [(labelled.ids[n], float(cosines[n])) for n in np.argsort(-cosines)[:DEPTH]]

    return search


def search_ranked(labelled: LabelledSet, embedder: Embedder) -> Search:
    """Return the search of the server."""
    ranker = Ranker(embedder)
    ranker.add(labelled.texts)

    def search(prompt: str) -> list[tuple[str, float]]:
        return [(labelled.ids[match.number], match.score) for match in ranker.rank(prompt, DEPTH)]

    return search
