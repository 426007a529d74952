"""Classify lessons into a category tree, by keywords and by semantic similarity.

A category is a path such as development/frontend/react. No language model is involved.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_retrieval.arrays import DECIMALS, round_scores
from hookwright_retrieval.embedders import Embedder, Vectors, scale
from lesson_search.files.front_matter import read_tree
from lesson_search.records import CATEGORY, Lesson

TAXONOMY = Path(__file__).with_name("taxonomy.yml")
MAX_CATEGORIES = 3  # categories per text
EXAMPLES = 50  # example lessons per category
# Fitted to the labelled lessons; benchmarks/bench_categories.py measures the quality.
KEYWORD = 3.0  # log odds for one keyword; four keywords count twice as much
FURTHER_WORD = 0.5  # weight of each further word of a phrase, relative to the first
SIMILARITY = 9.0  # log odds for a cosine of 1
LIKELY = 0.2  # minimum probability of a category
BROAD = 0.5  # minimum total probability below a broader category
FAR = 0.22  # minimum cosine without a keyword

WORD = re.compile(r"[^\W_]+(?:[+#]+(?![^\W_]))?")  # C++ and C# are words
MIN_PLURAL = 4  # characters; AWS is not a plural

Scores = npt.NDArray[np.float64]
Known = npt.NDArray[np.bool_]
Taxonomy = Mapping[str, tuple[str, ...]]  # the keywords of each category: words and phrases


def read_taxonomy(path: Path = TAXONOMY) -> Taxonomy:
    """Return the taxonomy in a file; raises RefusedError. taxonomy.yml describes the format."""
    try:
        return parse_taxonomy(read_regular(path), str(path))
    except OSError as error:
        raise RefusedError(f"cannot read {path}: {error.strerror}") from error


def parse_taxonomy(content: bytes, path: str) -> Taxonomy:
    """Return the taxonomy in a file's contents; raises RefusedError, which names the path."""
    try:
        root = read_tree(content.decode("utf-8"))
    except yaml.MarkedYAMLError as error:
        marks = [error.problem_mark, error.context_mark]
        if "sequence" in str(error.context):  # the line of the bracket that is not closed
            marks.reverse()
        line = next((mark.line + 1 for mark in marks if mark), 1)
        raise RefusedError(
            f"{path}:{line}: not valid YAML ({error.problem}): check the brackets and quotes"
        ) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise RefusedError(f"{path}: not YAML in UTF-8: {reason}") from error
    if not isinstance(root, yaml.MappingNode) or not root.value:
        raise RefusedError(f"{path}: no categories: write lines such as `devops/docker: [image]`")
    keywords: dict[str, tuple[str, ...]] = {}
    for key, value in root.value:
        category = read_scalar(key)
        place = f"{path}:{key.start_mark.line + 1}: category {category!r}"
        if not CATEGORY.fullmatch(category):
            raise RefusedError(
                f"{place} is not a path: use lower-case letters and digits with single hyphens and"
                " slashes between them, such as devops/ci-cd"
            )
        if category in keywords:
            raise RefusedError(f"{place} is listed twice: merge the two lists")
        if not isinstance(value, yaml.SequenceNode):
            raise RefusedError(
                f"{place} has no list of keywords: write its whole path, and [] for no keywords"
            )
        keywords[category] = tuple(read_keywords(value, path, category))
    return keywords


def read_keywords(node: yaml.SequenceNode, path: str, category: str) -> Iterator[str]:
    seen: dict[tuple[str, ...], str] = {}
    for item in node.value:
        keyword = read_scalar(item)
        place = f"{path}:{item.start_mark.line + 1}: category {category!r}: keyword {keyword!r}"
        words = tuple(split_words(keyword))
        if not words:
            raise RefusedError(f"{place} has no words: quote or remove it")
        if words in seen:
            raise RefusedError(f"{place} repeats {seen[words]!r}: remove one of them")
        seen[words] = keyword
        yield keyword


def read_scalar(node: yaml.Node) -> str:
    """Return the text of a YAML node, or "" if it is a list or mapping."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def split_words(text: str) -> list[str]:
    """Return the words of a text or keyword in lower case, without a plural s."""
    return [
        word[:-1] if len(word) >= MIN_PLURAL and word[-1] == "s" and word[-2] != "s" else word
        for word in WORD.findall(text.casefold())
    ]


class Classifier:
    """Classifies texts into a taxonomy's categories."""

    def __init__(self, taxonomy: Taxonomy, embedder: Embedder) -> None:
        self._categories = list(taxonomy)
        # The categories of each keyword, and the categories at or below each category.
        self._named: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._under: dict[str, list[int]] = defaultdict(list)
        for number, (category, keywords) in enumerate(taxonomy.items()):
            for keyword in keywords:
                self._named[tuple(split_words(keyword))].append(number)
            for broader in list_broader(category):
                self._under[broader].append(number)
        self._longest: dict[str, int] = {}  # maximum words of a keyword, by its first word
        for words in self._named:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
        self._embedder = embedder
        self._meant = np.zeros((len(self._categories), embedder.dimensions), np.float32)
        for number, keywords in enumerate(taxonomy.values()):
            if keywords:
                self._meant[number] = embedder.embed_documents(keywords).mean(axis=0)
        self.learn([], [])

    def learn(self, texts: Sequence[str], categories: Sequence[Sequence[str]]) -> None:
        """Compute the centroid of each category: the mean vector of its lessons or keywords.

        Earlier examples are forgotten, and categories outside the taxonomy are ignored.
        """
        examples: dict[str, list[int]] = defaultdict(list)
        for number, paths in enumerate(categories):
            for category in set(paths):
                examples[category].append(number)
        vectors = self._embedder.embed_documents(texts)
        centroids = self._meant.copy()
        for number, category in enumerate(self._categories):
            if category in examples:
                centroids[number] = vectors[examples[category]].mean(axis=0)
        self._known: Known = np.any(centroids != 0, axis=1)
        # The component common to all categories carries no information, as in ranking.py.
        self._common: Vectors = centroids[self._known].sum(axis=0) / max(1, self._known.sum())
        self._centroids = scale(centroids - self._common)

    def classify(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return up to three categories of each text, most probable first, none of them nested.

        If too many categories are possible, there is a single broader one; if none fits, none.
        """
        near = self._score_similarity(texts)
        named = np.zeros_like(near)
        for row, text in zip(named, texts, strict=True):
            row[:] = self._score_keywords(text)
        fits: Known = np.any((named > 0) | (near > FAR), axis=1)
        evidence = KEYWORD * np.sqrt(named) + SIMILARITY * near
        return [self._choose(row) if fit else () for row, fit in zip(evidence, fits, strict=True)]

    def _score_keywords(self, text: str) -> Scores:
        """Return the keyword score of each category, 0 or more.

        Of overlapping keywords, only the longest counts, and each keyword counts once.
        """
        words, found, start = split_words(text), set(), 0
        while start < len(words):
            longest = self._longest.get(words[start], 0)
            spans = (tuple(words[start : start + size]) for size in range(longest, 0, -1))
            keyword = next((span for span in spans if span in self._named), ())
            found.add(keyword)
            start += max(1, len(keyword))
        scores = np.zeros(len(self._categories))
        for keyword in sorted(found - {()}):
            numbers = self._named[keyword]
            scores[numbers] += (1 + FURTHER_WORD * (len(keyword) - 1)) / len(numbers)
        return scores

    def _score_similarity(self, texts: Sequence[str]) -> Scores:
        vectors = self._embedder.embed_documents(texts)
        cosines = scale(vectors - self._common) @ self._centroids.T
        meant = np.any(vectors != 0, axis=1, keepdims=True) & self._known
        scores: Scores = round_scores(np.where(meant, cosines, 0))
        return scores

    def _choose(self, evidence: Scores) -> tuple[str, ...]:
        odds = np.exp(evidence - evidence.max())
        chances = round_scores(odds / odds.sum())
        chosen: list[str] = []
        for number in np.argsort(-chances, kind="stable"):
            category = self._categories[number]
            if chances[number] < LIKELY or len(chosen) == MAX_CATEGORIES:
                break
            if not any(under(category, [other]) or under(other, [category]) for other in chosen):
                chosen.append(category)
        if chosen:
            return tuple(chosen)
        sums = {
            broader: round(float(chances[numbers].sum()), DECIMALS)
            for broader, numbers in self._under.items()
        }
        broad = [path for path in sums if sums[path] >= BROAD] or [
            path for path in sums if "/" not in path
        ]
        return (max(broad, key=lambda name: (name.count("/"), sums[name])),)


class CurrentClassifier:
    """Classifies texts by the user's taxonomy, or if its file is missing, by the built-in one."""

    def __init__(self, own: Path, load_embedder: Callable[[], Embedder]) -> None:
        self._own = own
        self._load_embedder = load_embedder
        self._classifier: Classifier | None = None
        self._stamp: tuple[Path, int] | None = None  # its taxonomy file, and when that was changed

    def classify(
        self, texts: Sequence[str], list_lessons: Callable[[], Sequence[Lesson]]
    ) -> list[tuple[str, ...]]:
        """Return the categories of each text, after learning from the lessons if needed."""
        path = self._own if self._own.exists() else TAXONOMY
        stamp = (path, path.stat().st_mtime_ns)
        if self._classifier is None or stamp != self._stamp:
            classifier = Classifier(read_taxonomy(path), self._load_embedder())
            examples = choose_examples(list_lessons())
            classifier.learn(
                [example.text for example in examples], [example.categories for example in examples]
            )
            self._classifier, self._stamp = classifier, stamp
        return self._classifier.classify(texts)

    def forget(self) -> None:
        """Learn from the lessons again in the next call."""
        self._stamp = None


def choose_examples(lessons: Sequence[Lesson]) -> list[Lesson]:
    learned = Counter[str]()
    examples = []
    for lesson in lessons:
        rare = any(learned[category] < EXAMPLES for category in lesson.categories)
        if rare and not lesson.classified:
            learned.update(lesson.categories)
            examples.append(lesson)
    return examples


def under(category: str, prefixes: Iterable[str]) -> bool:
    path = category.strip("/") + "/"
    return any(path.startswith(prefix.strip("/") + "/") for prefix in prefixes)


def count(categories: Iterable[Iterable[str]]) -> dict[str, int]:
    """Count the lessons in or below each category, sorted by path; each lesson counts once."""
    counts = Counter[str]()
    # Among thousands of lessons, many share the same categories.
    for paths, number in Counter(map(tuple, categories)).items():
        for path in {broader for category in paths for broader in list_broader(category)}:
            counts[path] += number
    return {path: counts[path] for path in sorted(counts, key=lambda path: path.split("/"))}


def list_broader(category: str) -> list[str]:
    """Return the categories above a category, broadest first, and the category itself."""
    parts = category.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
