"""Sort lessons into categories, which form a tree: by keywords, and by what is near in meaning.

A category is a path such as development/frontend/react. Nothing here asks a language model.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml

from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular
from lesson_search.embedders import Embedder, Vectors, scale
from lesson_search.files.yaml_tree import read_tree
from lesson_search.validation import CATEGORY

TAXONOMY = Path(__file__).with_name("taxonomy.yml")
MOST = 3  # categories of a text
# Fitted to the labelled lessons; benchmarks/bench_categories.py measures what they are worth.
KEYWORD = 3.0  # what a word says, as the logarithm of the odds; four words say twice as much
FURTHER_WORD = 0.5  # how much more, in times of the first, each further word of a phrase says
SIMILARITY = 9.0  # what a cosine of 1 says, in the same unit
LIKELY = 0.2  # how probable a category has to be
BROAD = 0.5  # how probable all those under a broader one have to be together
FAR = 0.22  # how near the nearest category has to be if there is no keyword

WORD = re.compile(r"[^\W_]+(?:[+#]+(?![^\W_]))?")  # C++ and C# are words, too
SHORTEST_PLURAL = 4  # so that AWS stays what it is

Scores = npt.NDArray[np.float64]
Known = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Taxonomy:
    """The categories there are.

    Args:
        keywords: The words and phrases that name each category, which may be none.

    """

    keywords: Mapping[str, tuple[str, ...]]


def read_taxonomy(path: Path = TAXONOMY) -> Taxonomy:
    """Return the taxonomy in a file; taxonomy.yml says what it looks like.

    Args:
        path: A YAML file with a list of keywords for each category.

    Raises:
        RefusedError: There is something in it that cannot be meant, in one line.

    """
    try:
        root = read_tree(read_regular(path).decode("utf-8"))
    except OSError as error:
        raise RefusedError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise RefusedError(f"{path}: is not YAML in UTF-8: {reason}") from error
    if not isinstance(root, yaml.MappingNode) or not root.value:
        raise RefusedError(
            f"{path}: has no categories: write lines such as `devops/docker: [image]`"
        )
    keywords: dict[str, tuple[str, ...]] = {}
    for key, value in root.value:
        place = f"{path}:{key.start_mark.line + 1}"
        category = read_category(key, place)
        if category in keywords:
            raise RefusedError(
                f"{place}: category {category!r} is listed twice: merge the two lists"
            )
        keywords[category] = tuple(read_keywords(value, path, category))
    return Taxonomy(keywords)


def read_category(node: yaml.Node, place: str) -> str:
    """Return the category that a node names, or raise RefusedError with its place."""
    name = node.value if isinstance(node, yaml.ScalarNode) else "a list or mapping"
    if not isinstance(node, yaml.ScalarNode) or not CATEGORY.fullmatch(name):
        raise RefusedError(
            f"{place}: category {name!r} is no path: write lower-case letters and digits, with "
            "single hyphens and slashes between them, such as devops/ci-cd"
        )
    return str(name)


def read_keywords(node: yaml.Node, path: Path, category: str) -> Iterator[str]:
    """Yield the keywords that a node lists, or raise RefusedError with path and category."""
    if not isinstance(node, yaml.SequenceNode):
        found = "further categories" if isinstance(node, yaml.MappingNode) else repr(node.value)
        raise RefusedError(
            f"{path}:{node.start_mark.line + 1}: category {category!r} has {found} where its list "
            f"of keywords belongs: write the whole path, and [] if there are none"
        )
    seen: dict[tuple[str, ...], str] = {}
    for item in node.value:
        place = f"{path}:{item.start_mark.line + 1}: category {category!r}: keyword"
        if not isinstance(item, yaml.ScalarNode):
            raise RefusedError(f"{place} is a list or mapping: put it in quotes")
        words = tuple(split_words(item.value))
        if not words:
            raise RefusedError(f"{place} {item.value!r} has no word in it: quote or remove it")
        if words in seen:
            raise RefusedError(
                f"{place} {item.value!r} repeats {seen[words]!r}: remove one of them"
            )
        seen[words] = item.value
        yield item.value


def split_words(text: str) -> list[str]:
    """Return the words of a text or keyword, without case and the s of a plural."""
    return [
        word[:-1] if len(word) >= SHORTEST_PLURAL and word[-1] == "s" and word[-2] != "s" else word
        for word in WORD.findall(text.casefold())
    ]


class Classifier:
    """Finds the categories of texts."""

    def __init__(self, taxonomy: Taxonomy, embedder: Embedder | None) -> None:
        """Start without lessons to learn from.

        Args:
            taxonomy: The categories to choose from.
            embedder: What tells which texts are near each other; None to go by keywords alone.

        """
        self._keywords = taxonomy.keywords
        self._categories = list(taxonomy.keywords)
        self._named: dict[tuple[str, ...], list[int]] = defaultdict(list)  # by a keyword
        self._under: dict[str, list[int]] = defaultdict(list)  # a category, with itself
        for number, (category, keywords) in enumerate(taxonomy.keywords.items()):
            for keyword in keywords:
                self._named[tuple(split_words(keyword))].append(number)
            for broader in list_broader(category):
                self._under[broader].append(number)
        self._longest: dict[str, int] = {}  # how many words a keyword has, by its first
        for words in self._named:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
        self._embedder = embedder
        self.learn([], [])

    def learn(self, texts: Sequence[str], categories: Sequence[Sequence[str]]) -> None:
        """Take as the middle of each category the mean of its lessons' vectors.

        A category without lessons has the mean of its keywords' vectors. What was learned before
        is forgotten, and categories that the taxonomy does not have do not matter.

        Args:
            texts: The lessons.
            categories: Those of each lesson.

        """
        if self._embedder is None:
            return
        examples: dict[str, list[int]] = defaultdict(list)
        for number, given in enumerate(categories):
            for category in set(given):
                examples[category].append(number)
        vectors = self._embedder.embed_documents(texts)
        centroids = np.zeros((len(self._categories), self._embedder.dimensions), np.float32)
        for number, (category, keywords) in enumerate(self._keywords.items()):
            if category in examples:
                centroids[number] = vectors[examples[category]].mean(axis=0)
            elif keywords:
                centroids[number] = self._embedder.embed_documents(keywords).mean(axis=0)
        self._known: Known = np.any(centroids != 0, axis=1)
        # What all categories have in common tells nothing, as in similarity.py.
        self._common: Vectors = centroids[self._known].sum(axis=0) / max(1, self._known.sum())
        self._centroids = scale(centroids - self._common)

    def classify(self, text: str) -> tuple[str, ...]:
        """Return the categories of a text.

        Args:
            text: Any text.

        Returns:
            At most three, the most probable first, none of them under another. One broader than
            those of the taxonomy where these are too many to choose from; none where nothing fits.

        """
        return self.classify_all([text])[0]

    def classify_all(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the categories of each text, as `classify` does, but sooner for many."""
        near = self._score_similarity(texts)
        named = np.zeros_like(near)
        for row, text in zip(named, texts, strict=True):
            row[:] = self._score_keywords(text)
        fits: Known = np.any((named > 0) | (near > FAR), axis=1)
        evidence = KEYWORD * np.sqrt(named) + SIMILARITY * near
        return [self._choose(row) if fit else () for row, fit in zip(evidence, fits, strict=True)]

    def _score_keywords(self, text: str) -> Scores:
        """Return what the keywords in a text say for each category, from 0 on.

        Of keywords that overlap the longest counts, and each counts once.
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
        """Return the cosine of each text and category, of shape (texts, categories)."""
        if self._embedder is None:
            return np.zeros((len(texts), len(self._categories)))
        vectors = self._embedder.embed_documents(texts)
        cosines = scale(vectors - self._common) @ self._centroids.T
        meant = np.any(vectors != 0, axis=1, keepdims=True) & self._known
        scores: Scores = np.where(meant, cosines, 0).astype(np.float64)
        return scores

    def _choose(self, evidence: Scores) -> tuple[str, ...]:
        """Return the categories that the evidence speaks for, which has one number for each."""
        odds = np.exp(evidence - evidence.max())
        chances = odds / odds.sum()
        chosen: list[str] = []
        for number in np.argsort(-chances, kind="stable"):
            category = self._categories[number]
            if chances[number] < LIKELY or len(chosen) == MOST:
                break
            if not any(under(category, [one]) or under(one, [category]) for one in chosen):
                chosen.append(category)
        if chosen:
            return tuple(chosen)
        sums = {broader: chances[numbers].sum() for broader, numbers in self._under.items()}
        broad = [one for one in sums if sums[one] >= BROAD] or [
            one for one in sums if "/" not in one
        ]
        return (max(broad, key=lambda one: (one.count("/"), sums[one])),)


def under(category: str, prefixes: Iterable[str]) -> bool:
    """Return whether a category is one of the prefixes, or under one, by whole parts of its path.

    Args:
        category: A path, such as development/frontend.
        prefixes: Paths to look under: development is one, development/front is not.

    """
    path = category.strip("/") + "/"
    return any(path.startswith(prefix.strip("/") + "/") for prefix in prefixes)


def count(categories: Iterable[Iterable[str]]) -> dict[str, int]:
    """Return how many lessons are in each category or under it, sorted by path.

    Args:
        categories: Those of each lesson, which counts once however many are under the same.

    """
    counts = Counter[str]()
    for given in categories:
        counts.update({broader for category in given for broader in list_broader(category)})
    return {path: counts[path] for path in sorted(counts, key=lambda path: path.split("/"))}


def list_broader(category: str) -> list[str]:
    """Return the categories that one is under, the broadest first, and itself at last."""
    parts = category.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
