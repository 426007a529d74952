"""Sort texts by the taxonomy as it is at the time, and by lessons that a hand has sorted."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from lesson_search.embedders import Embedder
from lesson_search.records import Lesson
from lesson_search.taxonomy.categories import TAXONOMY, Classifier, read_taxonomy

EXAMPLES = 50  # lessons of each category that are learned from


class CurrentClassifier:
    """Finds the categories of texts."""

    def __init__(self, own: Path, load_embedder: Callable[[], Embedder]) -> None:
        """Start without having read anything.

        Args:
            own: The user's taxonomy; where there is none, the shipped one counts.
            load_embedder: Loads what the classifier's constants are fitted to.

        """
        self._own = own
        self._load_embedder = load_embedder
        self._classifier: Classifier | None = None
        self._stamp: tuple[Path, int] | None = None  # of the taxonomy that it has

    def classify(
        self, texts: Sequence[str], list_lessons: Callable[[], Sequence[Lesson]]
    ) -> list[tuple[str, ...]]:
        """Return the categories of each text; there may be none.

        Args:
            texts: Any.
            list_lessons: Lists what to learn from, where that was not done yet by the present
                taxonomy.

        Raises:
            RefusedError: The taxonomy cannot be read.

        """
        path = self._own if self._own.exists() else TAXONOMY
        stamp = (path, path.stat().st_mtime_ns)
        if self._classifier is None or stamp != self._stamp:
            classifier = Classifier(read_taxonomy(path), self._load_embedder())
            examples = choose_examples(list_lessons())
            classifier.learn([one.text for one in examples], [one.categories for one in examples])
            self._classifier, self._stamp = classifier, stamp
        return self._classifier.classify_all(texts)

    def forget(self) -> None:
        """Learn from the lessons anew the next time."""
        self._classifier = None


def choose_examples(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return some lessons of each category, of those that a hand has sorted."""
    learned = Counter[str]()
    examples = []
    for lesson in lessons:
        rare = any(learned[category] < EXAMPLES for category in lesson.categories)
        if rare and not lesson.classified:
            learned.update(lesson.categories)
            examples.append(lesson)
    return examples
