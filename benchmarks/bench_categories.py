"""Measure how well lessons are sorted into built-in categories, compared with keywords alone."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.table import Table

from hookwright_retrieval.embedders import Vectors
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.files.folders import read_files
from lesson_search.retrieval.evaluation import LABELLED
from lesson_search.taxonomy.categories import Classifier, read_taxonomy

from .labelled import HELD_OUT
from .reporting import report

FOLDS = 10
MIN_SHARE = 0.8  # minimum share of lessons whose first category has the right top level
Found = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Sorted:
    """Lessons and the categories that people assigned to them."""

    texts: list[str]
    categories: list[tuple[str, ...]]


class Meaningless(WordLlamaEmbedder):
    """An embedder without any similarity, so that only keywords count."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of zeros."""
        return np.zeros((len(texts), self.dimensions), np.float32)


def main() -> int:
    """Print the table; return 1 if a limit is missed."""
    taxonomy, embedder = read_taxonomy(), WordLlamaEmbedder()
    labelled, held_out = read_sorted(LABELLED), read_sorted(HELD_OUT)
    words, learned = Classifier(taxonomy, Meaningless()), Classifier(taxonomy, embedder)
    unlearned = Classifier(taxonomy, embedder)

    table = Table(title="Categories by keywords and wordllama")
    for column in ("lessons", "by", "first right", "top right", "none", "categories", "a second"):
        table.add_column(column)
    missed = False
    for name, lessons in (("labelled", labelled), ("held out", held_out)):
        for kind, classifier in (("keywords", words), ("+ vectors", unlearned)):
            start = time.perf_counter()
            found = classifier.classify(lessons.texts)
            speed = len(found) / (time.perf_counter() - start)
            table.add_row(name, kind, *measure(found, lessons)[1], f"{speed:,.0f}")
        if lessons is labelled:
            top, row = measure(cross_validate(learned, labelled), labelled)
        else:
            learned.learn(labelled.texts, labelled.categories)
            top, row = measure(learned.classify(held_out.texts), held_out)
        table.add_row(name, "+ learned", *row)
        missed |= top < MIN_SHARE
    report("categories", table, about=__doc__)
    return int(missed)


def read_sorted(folder: Path) -> Sorted:
    lessons = read_files([folder / "lessons.jsonl"]).locations
    return Sorted([lesson.text for lesson in lessons], [lesson.categories for lesson in lessons])


def cross_validate(classifier: Classifier, lessons: Sorted) -> Found:
    found: list[tuple[str, ...]] = [()] * len(lessons.texts)
    for fold in range(FOLDS):
        rest = [n for n in range(len(found)) if n % FOLDS != fold]
        classifier.learn([lessons.texts[n] for n in rest], [lessons.categories[n] for n in rest])
        found[fold::FOLDS] = classifier.classify(lessons.texts[fold::FOLDS])
    return found


def measure(found: Found, lessons: Sorted) -> tuple[float, list[str]]:
    """Return the share of lessons with the right top-level category, and a table row."""
    pairs = [
        (given[0], wanted) for given, wanted in zip(found, lessons.categories, strict=True) if given
    ]
    first = sum(given in wanted for given, wanted in pairs)
    top = sum(
        given.split("/")[0] in {category.split("/")[0] for category in wanted}
        for given, wanted in pairs
    )
    shares = [number / len(found) for number in (first, top, len(found) - len(pairs))]
    return shares[1], [f"{n:.3f}" for n in (*shares, sum(map(len, found)) / len(found))]


if __name__ == "__main__":
    sys.exit(main())
