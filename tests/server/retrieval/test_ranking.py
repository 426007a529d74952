"""Lessons are ranked by relevance to a prompt, with the real embedder."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.evaluation import (
    LABELLED,
    LabelledPrompt,
    measure_quality,
    read_questions,
)
from lesson_search.retrieval.ranking import Ranker, build_index_data, score_in_order, take_opening

from ...support.hypothesis_profiles import examples
from ...support.letter_embedder import CALIBRATION, LetterEmbedder


@pytest.fixture(scope="session")
def lessons() -> dict[str, str]:
    rows = map(json.loads, (LABELLED / "lessons.jsonl").read_text("utf-8").splitlines())
    return {row["id"]: row["text"] for row in rows}


@pytest.fixture(scope="session")
def ranker(
    embedder: WordLlamaEmbedder, calibration: Calibration, lessons: dict[str, str]
) -> Ranker:
    return build_ranker(embedder, calibration, *lessons.values())


def build_ranker(embedder: WordLlamaEmbedder, calibration: Calibration, *texts: str) -> Ranker:
    index_data = build_index_data(texts, embedder.embed_documents(texts))
    return Ranker(embedder, calibration, index_data)


def test_labelled_questions_are_answered(
    ranker: Ranker, calibration: Calibration, lessons: dict[str, str]
) -> None:
    ids = list(lessons)

    def search(prompt: str) -> list[tuple[str, float]]:
        return [(ids[match.number], match.score) for match in ranker.rank(prompt, 10)]

    questions = read_questions(LABELLED / "questions.jsonl")
    quality = measure_quality(search, questions, calibration.threshold)
    assert quality.success > 0.9
    assert quality.precision > 0.53
    assert quality.answered > 0.75
    assert quality.injected <= 0.05


def test_vectors_match_the_text_order(embedder: WordLlamaEmbedder, lessons: dict[str, str]) -> None:
    texts = list(lessons.values())[:100]
    vectors = embedder.embed_documents(texts)
    for text, vector in zip(texts, vectors, strict=True):
        assert vector == pytest.approx(embedder.embed_query(text), abs=1e-4)


def test_vectors_of_any_length_can_be_ranked() -> None:
    texts = ["Lesson", "123"]
    vectors = LetterEmbedder().embed_documents(texts) * np.array([[1e6], [-1e6]], np.float32)
    ranker = Ranker(LetterEmbedder(), CALIBRATION, build_index_data(texts, vectors))
    scores = [match.score for match in ranker.rank("Lesson 1", 2)]
    assert len(scores) == 2
    assert all(0 <= score <= 1 for score in scores)


def test_labels_are_valid(lessons: dict[str, str]) -> None:
    questions = read_questions(LABELLED / "questions.jsonl")
    assert all(question.wanted <= lessons.keys() for question in questions)
    assert len({question.prompt for question in questions}) == len(questions) >= 300


def test_lesson_is_found_by_its_own_words(
    ranker: Ranker, calibration: Calibration, lessons: dict[str, str]
) -> None:
    sentences = [text.split(". ")[0] for text in lessons.values()]
    ranked = [ranker.rank(sentence, 1, calibration.threshold) for sentence in sentences]
    right = sum([match.number for match in matches] == [n] for n, matches in enumerate(ranked))
    assert right > 0.95 * len(sentences)


@pytest.mark.parametrize(
    "prompt", ["write a haiku about autumn", "hi", "", "🦊", "???", "a" * 99, "half \ud83e"]
)
def test_unanswerable_prompt_gets_nothing(
    ranker: Ranker, calibration: Calibration, prompt: str
) -> None:
    assert ranker.rank(prompt, 3, calibration.threshold) == []


def test_empty_collection_returns_nothing(
    embedder: WordLlamaEmbedder, calibration: Calibration
) -> None:
    empty = build_ranker(embedder, calibration)
    assert empty.rank("docker", 5) == []


def test_scores_are_sorted_in_descending_order(ranker: Ranker) -> None:
    scores = [match.score for match in ranker.rank("docker build cache in gitlab ci", 7)]
    assert len(scores) == 7
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("change", [str.upper, str.title, str.lower, '"{}"\n'.format])
def test_case_and_quotes_do_not_matter(ranker: Ranker, change: Callable[[str], str]) -> None:
    for prompt in ("why is the build cache lost", "Pods keep the old NODE_OPTIONS", "straße"):
        assert ranker.rank(change(prompt), 5) == ranker.rank(prompt.casefold(), 5)


@given(st.lists(st.floats(-1e9, 1e9), max_size=9))
def test_score_never_falls_below_later_ones(odds: list[float]) -> None:
    scores = score_in_order(np.array(odds))
    alone = [float(score_in_order(np.array([odd]))[0]) for odd in odds]
    assert scores.tolist() == [max(alone[place:]) for place in range(len(odds))]


def test_equivalent_lessons_are_ranked_in_order(
    embedder: WordLlamaEmbedder, calibration: Calibration, lessons: dict[str, str]
) -> None:
    prompt, same = "docker build cache in gitlab ci", "The docker build cache of a runner is lost."
    for others in (0, 1, 2, 3, 5, 60):
        texts = list(lessons.values())[:others]
        texts = [*texts, same, *texts, same, same, same]
        ranker = build_ranker(embedder, calibration, *texts)
        equal = [others, *range(2 * others + 1, 2 * others + 4)]
        hits = [hit for hit in ranker.rank(prompt, 99) if hit.number in equal]
        assert [hit.number for hit in hits] == equal
        assert len({hit.score for hit in hits}) == 1


def test_nearest_tokens_determine_the_score(
    embedder: WordLlamaEmbedder, calibration: Calibration
) -> None:
    texts = "Pin the digest of a base image.", "Pin the digest. Lunch is at noon on Mondays."
    ranker = build_ranker(embedder, calibration, *texts)
    assert [hit.number for hit in ranker.rank("pin digests of the container image", 2)] == [0, 1]


def test_opening_determines_the_ranking(
    embedder: WordLlamaEmbedder, calibration: Calibration
) -> None:
    first, second = "A build ran out of memory on the runner.", "Lunch is at noon on all Mondays."
    third = "The bicycles are in the cellar behind the kitchen."
    texts = f"{second} {third} {first}", f"{first} {second} {third}"
    ranker = build_ranker(embedder, calibration, *texts)
    assert [hit.number for hit in ranker.rank("the build runs out of memory", 2)] == [1, 0]


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        (
            "Note: a build failed twice; we raised its memory. It holds.",
            "a build failed twice; we raised its memory.",
        ),
        (
            "# Builds\n\nA build ran out of memory\non the runner of the team.\nRaise it.",
            "A build ran out of memory on the runner of the team.",
        ),
        ("Pin digests.", "Pin digests."),
        ("", ""),
    ],
)
def test_opening_is_the_first_two_sentences(text: str, opening: str) -> None:
    assert take_opening(text) == opening


def test_limit_may_exceed_the_number_of_lessons(
    embedder: WordLlamaEmbedder, calibration: Calibration
) -> None:
    ranker = build_ranker(embedder, calibration, "Docker needs a .dockerignore.")
    assert [match.number for match in ranker.rank("docker", 5)] == [0]


@settings(max_examples=examples(50))
@given(prompt=st.text(max_size=50))
def test_any_prompt_can_be_ranked(ranker: Ranker, prompt: str) -> None:
    assert len(ranker.rank(prompt * 200, 3)) == 3


def test_quality_matches_a_manual_count() -> None:
    results = {
        "one": [("a", 0.9), ("b", 0.8)],
        "two": [("a", 0.9), ("b", 0.3)],
        "none": [("a", 0.9)],
        "nothing": [("a", 0.1)],
    }
    questions = [
        LabelledPrompt("one", frozenset("b")),
        LabelledPrompt("two", frozenset("bc")),
        LabelledPrompt("none", frozenset()),
        LabelledPrompt("nothing", frozenset()),
    ]
    quality = measure_quality(results.__getitem__, questions, 0.5)
    assert (quality.success, quality.recall, quality.reciprocal) == (1, 0.75, 0.5)
    assert quality.precision == pytest.approx(1 / 3)
    assert (quality.answered, quality.injected) == (0.5, 0.5)
