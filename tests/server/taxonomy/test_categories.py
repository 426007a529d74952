"""Lessons are sorted into categories, by the built-in or a custom taxonomy."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.errors import RefusedError
from hookwright_retrieval.embedders import Vectors
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.taxonomy.categories import (
    TAXONOMY,
    Classifier,
    Taxonomy,
    count,
    read_taxonomy,
    under,
)

from ...support.hypothesis_profiles import examples
from ...support.letter_embedder import LetterEmbedder

CATEGORIES = st.lists(st.lists(st.text("ab-/", max_size=6), max_size=4), max_size=6)
OWN: Taxonomy = {
    "kitchen/baking": ("bread", "oven", "yeast", "sourdough starter"),
    "kitchen/soups": ("broth", "ladle", "soup"),
    "garden": ("tomato", "compost", "watering can"),
}


class Meaningless(LetterEmbedder):
    """An embedder without any similarity, so that only keywords count."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), self.dimensions), np.float32)


def classify(classifier: Classifier, text: str) -> tuple[str, ...]:
    [categories] = classifier.classify([text])
    return categories


@pytest.fixture(scope="session")
def classifier(embedder: WordLlamaEmbedder) -> Classifier:
    return Classifier(read_taxonomy(), embedder)


def test_clear_case_gets_one_category(classifier: Classifier) -> None:
    for text, category in [
        ("Tailwind and CSS modules fight over specificity.", "development/frontend/styling"),
        ("useEffect needs its dependency array in React.", "development/frontend/react"),
        ("Playwright's getByRole finds what users see.", "development/frontend/testing"),
        ("webpack puts lodash into each chunk of the bundle.", "development/frontend/build"),
        ("PostgreSQL does a seq scan without that index.", "development/backend/database"),
        ("The JWT and the refresh token expire at once.", "development/backend/authentication"),
        ("After a rebase, git push needs --force-with-lease.", "development/tooling/git"),
        ("ruff and mypy run as pre-commit hooks.", "development/tooling/linting"),
        ("GitHub Actions restores the cache in each CI job.", "devops/ci-cd"),
        ("A multi-stage Dockerfile makes a small base image.", "devops/docker"),
        ("kubectl shows pods of a Deployment; helm upgrade.", "devops/deployment"),
        ("Prometheus alert rules need a dashboard in Grafana.", "devops/monitoring"),
        ("JQL finds the epics in Jira.", "product-management/jira"),
        ("We estimate by planning poker in story points.", "product-management/estimation"),
        ("PreToolUse hooks of Claude Code stop a tool call.", "workflow/claude-code"),
        ("Reviewers want small merge requests: code review.", "workflow/code-review"),
    ]:
        assert classify(classifier, text)[0] == category


@pytest.mark.parametrize("text", ["", "🦊", "???", "write a haiku about autumn", "a" * 99])
def test_unrelated_text_gets_no_category(classifier: Classifier, text: str) -> None:
    assert classify(classifier, text) == ()


def test_several_matching_categories_are_returned(classifier: Classifier) -> None:
    text = (
        "The GitLab CI pipeline runs docker build with BuildKit on its GitLab runner: Dockerfile."
    )
    assert set(classify(classifier, text)) == {"devops/ci-cd", "devops/docker"}


def test_custom_taxonomy_is_used(embedder: WordLlamaEmbedder) -> None:
    classifier = Classifier(OWN, embedder)
    assert classify(classifier, "Sourdough starters want a hot OVEN.") == ("kitchen/baking",)
    assert classify(classifier, "Vegetables and flowers grow from seeds.") == ("garden",)


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("oven", ("kitchen/baking",)),
        ("ovens, Oven_rack", ("kitchen/baking",)),
        ("ovenproof", ()),
        ("a sourdough-starter in soup", ("kitchen/baking", "kitchen/soups")),
        ("sourdough and a starter", ()),
    ],
)
def test_keywords_match_whole_words(text: str, categories: tuple[str, ...]) -> None:
    assert classify(Classifier(OWN, Meaningless()), text) == categories


def test_uncertain_text_gets_the_parent_category() -> None:
    names = [f"home/{room}" for room in ("bath", "cellar", "hall", "loft", "porch", "yard")]
    keywords = dict.fromkeys(names, ("door",)) | {"street": ("lamp",)}
    assert classify(Classifier(keywords, Meaningless()), "a door") == ("home",)


def test_learned_lessons_move_the_centroid(embedder: WordLlamaEmbedder) -> None:
    classifier = Classifier({**OWN, "sea": ()}, embedder)
    sailing = "A yacht sails into the harbour with the tide."
    lessons = ["Reef the sails of a boat in a storm.", "Ships wait for the tide in a harbour."]
    assert "sea" not in classify(classifier, sailing)
    classifier.learn(lessons, [["sea"], ["sea", "elsewhere"]])
    assert classify(classifier, sailing) == ("sea",)
    classifier.learn([], [])
    assert "sea" not in classify(classifier, sailing)


@settings(max_examples=examples(50))
@given(texts=st.lists(st.text(max_size=80), max_size=3))
def test_any_text_can_be_classified(classifier: Classifier, texts: list[str]) -> None:
    classified = classifier.classify(texts)
    assert classified == classifier.classify(texts)
    assert len(classified) == len(texts)
    for categories in classified:
        assert len(categories) <= 3
        assert all(
            sum(under(category, [other]) for other in categories) == 1 for category in categories
        )


def test_first_of_equal_categories_is_chosen() -> None:
    keywords = {f"{broad}/{word}": (broad + word,) for broad in "ba" for word in "xyz"}
    classifier = Classifier(keywords, Meaningless())
    assert classifier.classify(["bx by bz ax ay az", "az ay ax bz by bx"]) == [("b",), ("b",)]


@pytest.mark.parametrize("keywords", [{}, {"a": ()}, {"a": (), "b/c": ()}])
def test_taxonomy_without_keywords_matches_nothing(
    embedder: WordLlamaEmbedder, keywords: dict[str, tuple[str, ...]]
) -> None:
    assert classify(Classifier(keywords, embedder), "docker") == ()


@pytest.mark.parametrize(
    ("category", "prefixes", "expected"),
    [
        ("development/frontend", ["development"], True),
        ("development/frontend", ["development/frontend"], True),
        ("development/frontend", ["devops", "development/"], True),
        ("development/frontend", ["development/front"], False),
        ("development/frontend", ["development/frontend/react"], False),
        ("development/frontend", ["frontend"], False),
        ("development/frontend", [], False),
    ],
)
def test_prefixes_match_whole_path_parts(
    category: str, prefixes: list[str], *, expected: bool
) -> None:
    assert under(category, prefixes) is expected


@given(category=st.text(), prefixes=st.lists(st.text()))
def test_prefixes_may_be_any_text(category: str, prefixes: list[str]) -> None:
    assert under(category, [*prefixes, category])


def test_lessons_count_once_per_ancestor() -> None:
    lessons = [("b/c/d", "b/c/e"), ("b/c",), ("a-b",), ("a/b",), ()]
    expected = {"a": 1, "a/b": 1, "a-b": 1, "b": 2, "b/c": 2, "b/c/d": 1, "b/c/e": 1}
    assert list(count(lessons).items()) == list(expected.items())


@given(lessons=CATEGORIES)
def test_any_categories_can_be_counted(lessons: list[list[str]]) -> None:
    counts = count(lessons)
    assert all(0 < number <= len(lessons) for number in counts.values())
    assert {category for lesson in lessons for category in lesson} <= counts.keys()


def test_shipped_taxonomy_is_read_like_a_custom_one(tmp_path: Path) -> None:
    own = Path(shutil.copy(TAXONOMY, tmp_path / "own.yml"))
    assert read_taxonomy(own) == read_taxonomy()
    assert all(len(keywords) >= 10 for keywords in read_taxonomy().values())


def test_yaml_scalars_are_kept_as_written(tmp_path: Path) -> None:
    path = tmp_path / "own.yml"
    path.write_text("on: [no, 3.10, 2024-01-01, C#, ~, null, 1e3]\n'404': []\n".replace("~, ", ""))
    keywords = ("no", "3.10", "2024-01-01", "C#", "null", "1e3")
    assert read_taxonomy(path) == {"on": keywords, "404": ()}


def test_errors_are_reported_with_their_position(tmp_path: Path) -> None:
    for text, message in [
        ("", "no categories: write lines such as"),
        ("- docker", "no categories: write lines such as"),
        ("a: [b", "1: not valid YAML .*: check the brackets and quotes"),
        ('"\\UFFFFFFFF": []', "not YAML in UTF-8"),
        ("[" * 1_000, "1: not valid YAML .nested too deeply"),
        ("a: [@b]", "1: not valid YAML .*: check the brackets and quotes"),
        ("a: []\nB c: []", "2: category 'B c' is not a path: use lower-case"),
        ("a//b: []", "1: category 'a//b' is not a path"),
        ("a-: []", "1: category 'a-' is not a path"),
        ("[a]: []", "1: category '' is not a path"),
        ("a:\n  b: [c]", "1: category 'a' has no list of keywords: write its whole path"),
        ("a: b", "1: category 'a' has no list of keywords"),
        ("a:", "1: category 'a' has no list .* and \\[\\] for no keywords"),
        ("a: [b]\na: [c]", "2: category 'a' is listed twice: merge"),
        ("a:\n- b: c", "2: category 'a': keyword '' has no words: quote or remove it"),
        ("a:\n- #b", "2: category 'a': keyword '' has no words: quote or remove"),
        ("a: [b, '++']", "1: category 'a': keyword '\\+\\+' has no words"),
        ("a:\n- CI/CD\n- ci-cd", "3: category 'a': keyword 'ci-cd' repeats 'CI/CD': remove one"),
    ]:
        path = tmp_path / "own.yml"
        path.write_text(text)
        with pytest.raises(RefusedError, match=re.escape(str(path)) + ":.*" + message) as caught:
            read_taxonomy(path)
        assert "\n" not in str(caught.value)


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "own.yml"
    with pytest.raises(RefusedError, match=r"cannot read .*own.yml: No such file"):
        read_taxonomy(path)
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(RefusedError, match=r"own.yml: not YAML in UTF-8"):
        read_taxonomy(path)
