"""The shipped lessons as a background corpus for collections with few records.

Among three lessons no word is rare, and their mean vector is close to each of them: how much a word
or a direction tells only shows among many.
"""

from dataclasses import dataclass
from functools import cache

from hookwright_retrieval.bm25 import Postings, count_terms
from hookwright_retrieval.terms import list_grams, list_words
from lesson_search.files.reader import read_lessons
from lesson_search.retrieval.evaluation import LABELLED


@dataclass(frozen=True)
class BackgroundCorpus:
    """The words and character n-grams of the shipped lessons."""

    words: Postings
    grams: Postings


@cache
def load_background() -> BackgroundCorpus:
    """Return the terms of the shipped lessons."""
    texts = [lesson.text for lesson in read_lessons(LABELLED / "lessons.jsonl").lessons]
    return BackgroundCorpus(
        count_terms(map(list_words, texts)), count_terms(map(list_grams, texts))
    )
