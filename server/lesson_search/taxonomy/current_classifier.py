"""A classifier that follows changes of the taxonomy and learns from manually sorted lessons."""

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path

from hookwright_retrieval.embedders import Embedder
from lesson_search.records import Lesson
from lesson_search.taxonomy.categories import TAXONOMY, Classifier, read_taxonomy

EXAMPLES = 50  # example lessons per category


class CurrentClassifier:
    """Classifies texts by the current taxonomy."""

    def __init__(self, own: Path, load_embedder: Callable[[], Embedder]) -> None:
        """Start without loading anything.

        Args:
            own: The user's taxonomy; if the file is missing, the shipped one is used.
            load_embedder: Loads the embedder that the classifier is tuned for.

        """
        self._own = own
        self._load_embedder = load_embedder
        self._classifier: Classifier | None = None
        self._stamp: tuple[Path, int] | None = None  # the taxonomy file and its time
        self._learned = False

    def classify(
        self, texts: Sequence[str], list_lessons: Callable[[], Sequence[Lesson]]
    ) -> list[tuple[str, ...]]:
        """Return the categories of each text, if any fit.

        Args:
            texts: The texts.
            list_lessons: Lists the lessons to learn from, if the taxonomy is new.

        Raises:
            RefusedError: The taxonomy cannot be read.

        """
        path = self._own if self._own.exists() else TAXONOMY
        stamp = (path, path.stat().st_mtime_ns)
        if self._classifier is None or stamp != self._stamp or not self._learned:
            if self._classifier is None or stamp != self._stamp:
                classifier = Classifier(read_taxonomy(path), self._load_embedder())
            else:
                classifier = copy(self._classifier)  # others may be using it
            examples = choose_examples(list_lessons())
            classifier.learn([one.text for one in examples], [one.categories for one in examples])
            self._classifier, self._stamp, self._learned = classifier, stamp, True
        return self._classifier.classify_all(texts)

    def forget(self) -> None:
        """Learn from the lessons again the next time."""
        self._learned = False


def choose_examples(lessons: Sequence[Lesson]) -> list[Lesson]:
    learned = Counter[str]()
    examples = []
    for lesson in lessons:
        rare = any(learned[category] < EXAMPLES for category in lesson.categories)
        if rare and not lesson.classified:
            learned.update(lesson.categories)
            examples.append(lesson)
    return examples
