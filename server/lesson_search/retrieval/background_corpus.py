"""What lessons are like as a rule: the shipped ones, which count along where there are few others.

Among three lessons no word is rare, and the mean of their vectors is near each of them: how much a
word or a direction tells is only seen beside many.
"""

from dataclasses import dataclass
from functools import cache

from lesson_search.files.reader import read_lessons
from lesson_search.retrieval.bm25 import Postings, count_terms
from lesson_search.retrieval.evaluation import LABELLED
from lesson_search.retrieval.terms import list_grams, list_words


@dataclass(frozen=True)
class BackgroundCorpus:
    """The words of the shipped lessons, and the pieces of their words."""

    words: Postings
    grams: Postings


@cache
def count_background() -> BackgroundCorpus:
    """Return what is in the shipped lessons."""
    texts = [lesson.text for lesson in read_lessons(LABELLED / "lessons.jsonl").lessons]
    return BackgroundCorpus(
        count_terms(map(list_words, texts)), count_terms(map(list_grams, texts))
    )
