"""The shipped lessons as a background corpus for collections with few records.

Among three lessons no word is rare, and their mean vector is close to each of them: how much a word
or a direction tells only shows among many.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from safetensors.numpy import load_file, save_file

from hookwright_retrieval.bm25 import Postings, count_terms
from hookwright_retrieval.stored_arrays import pack_postings, unpack_postings
from hookwright_retrieval.terms import list_grams, list_words
from lesson_search.files.reader import read_lessons
from lesson_search.retrieval.evaluation import LABELLED

COUNTED = Path(__file__).parent / "background.safetensors"  # counting takes a start 50 ms


@dataclass(frozen=True)
class BackgroundCorpus:
    """The words and character n-grams of the shipped lessons."""

    words: Postings
    grams: Postings


@cache
def load_background() -> BackgroundCorpus:
    """Return the terms of the shipped lessons, which were counted before."""
    arrays = load_file(COUNTED)
    return BackgroundCorpus(unpack_postings("words", arrays), unpack_postings("grams", arrays))


def count_background() -> BackgroundCorpus:
    """Count the terms of the shipped lessons."""
    texts = [lesson.text for lesson in read_lessons(LABELLED / "lessons.jsonl").lessons]
    return BackgroundCorpus(
        count_terms(map(list_words, texts)), count_terms(map(list_grams, texts))
    )


def save_background(background: BackgroundCorpus) -> None:
    """Save the terms, to ship them."""
    arrays = pack_postings("words", background.words) | pack_postings("grams", background.grams)
    save_file(arrays, COUNTED)
