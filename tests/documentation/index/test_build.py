"""An index is built with the preset that serves its documentation best."""

from pathlib import Path

import pytest

from hookwright_documentation.index import build_index, evidence, self_test
from hookwright_documentation.index.index_files import read_index
from hookwright_documentation.index.links import Link, resolve_links
from hookwright_documentation.index.ranking import DEFAULT, PRESETS
from hookwright_documentation.index.self_test import is_better, pick_questions
from hookwright_documentation.pages import NamedTarget

from .passages import COOKING, SITE, make_passage

ASKING = make_passage(
    "index.html",
    links=(
        ("bread.html#oven", "crisp crust"),
        ("bread.html#dough", "dough"),
        ("tools.html#Oven.setTemperature", "kitchen.Oven.setTemperature"),
        ("soup.html#broth", "read on here"),
        ("soup.html#noodles", "read on here"),
    ),
)


def test_questions_are_texts_that_say_more(tmp_path: Path) -> None:
    passages = [*COOKING, ASKING]
    questions = pick_questions(passages, resolve_links(passages, []))
    assert [(question.text, question.passage) for question in questions] == [("crisp crust", 3)]
    report = build_index(passages, [], tmp_path)
    assert (report.passages, report.preset, report.scores) == (7, DEFAULT, {})


def test_presets_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "MIN_QUESTIONS", 2)
    names = [
        NamedTarget("baking a crust", f"{SITE}bread.html#oven"),
        NamedTarget("xylophone zither", f"{SITE}soup.html#broth"),
    ]
    report = build_index(COOKING, names, tmp_path)
    assert list(report.scores) == list(PRESETS)
    assert report.scores["words"] == 0.5  # the other is only known from the name, held out


def test_the_best_preset_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "MIN_QUESTIONS", 1)
    answers = iter([{0}, {0}, {0}, set(range(9))])
    monkeypatch.setattr(self_test, "list_answered", lambda *_: next(answers))
    report = build_index([*COOKING, ASKING], [], tmp_path)
    stored = read_index(tmp_path)
    assert report.preset == stored.preset == "words"
    assert stored.evidence.vectors.size == 0


def test_chance_chooses_nothing() -> None:
    assert is_better(set(range(10)), set())
    assert not is_better({1, 2, 3}, {1, 2})
    assert not is_better(set(range(20)), set(range(15, 30)))


def test_questions_are_always_the_same() -> None:
    passages = [make_passage("a.html", f"s{number}") for number in range(500)]
    links = [Link(number % 500, f"link {number}", counts=True) for number in range(1_000)]
    questions = pick_questions(passages, links)
    assert questions == pick_questions(passages, links)
    assert (
        len({question.passage for question in questions})
        == len(questions)
        == self_test.MAX_QUESTIONS
    )


def test_progress_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "BATCH", 4)
    steps: list[tuple[int, int]] = []
    build_index(COOKING, [], tmp_path, lambda done, total: steps.append((done, total)))
    assert steps == [(4, 6), (6, 6)]
