"""Retrieval quality is measured with hand-written questions."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright_console.errors import RefusedError
from lesson_search.retrieval.evaluation import LabelledPrompt, measure_quality, read_questions

from ...support.command_line import CommandLine


def test_questions_are_parsed(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"prompt": "Why?", "wanted": ["a", "b"]}\r\n\n{"wanted": [], "prompt": "x"}'
    )
    assert read_questions(path) == [
        LabelledPrompt("Why?", frozenset({"a", "b"})),
        LabelledPrompt("x", frozenset()),
    ]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("nothing", "not valid JSON"),
        ("[]", "expected a JSON object"),
        ('{"wanted": []}', "expected {"),
        ('{"prompt": " ", "wanted": []}', "expected {"),
        ('{"prompt": "a"}', "expected {"),
        ('{"prompt": "a", "wanted": "b"}', "expected {"),
        ('{"prompt": "a", "wanted": [1]}', "expected {"),
        ('{"prompt": "a", "wanted": [], "id": 1}', "expected {"),
        ('{"prompt": "a", "prompt": "b", "wanted": []}', "duplicate field"),
    ],
)
def test_invalid_question_is_reported(tmp_path: Path, line: str, part: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f'{{"prompt": "a", "wanted": []}}\n\n{line}\n')
    with pytest.raises(RefusedError) as refused:
        read_questions(path)
    assert str(refused.value).startswith(f"{path}:3: ")
    assert part in str(refused.value)


def test_file_without_questions_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n\n")
    with pytest.raises(RefusedError, match="has no questions"):
        read_questions(path)
    with pytest.raises(RefusedError, match="no such file"):
        read_questions(tmp_path / "none")


@given(st.binary())
def test_any_file_is_parsed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(content)
    reason = ""
    try:
        assert read_questions(path)
    except RefusedError as refused:
        reason = str(refused)
    assert reason.isprintable()


def test_quality_is_measured() -> None:
    results = {
        "first": [("a", 0.9), ("x", 0.8), ("y", 0.3)],
        "sixth": [("x", 0.9)] * 5 + [("b", 0.2)],
        "none": [("x", 0.9)],
        "quiet": [("x", 0.1)],
    }
    questions = [
        LabelledPrompt("first", frozenset({"a", "c"})),
        LabelledPrompt("sixth", frozenset({"b"})),
        LabelledPrompt("none", frozenset()),
        LabelledPrompt("quiet", frozenset()),
    ]
    quality = measure_quality(results.__getitem__, questions, 0.5)
    assert quality.success == 1 / 2
    assert quality.recall == 1 / 4
    assert quality.precision == 1 / 5
    assert quality.reciprocal == pytest.approx((1 + 1 / 6) / 2)
    assert (quality.answered, quality.injected) == (1 / 2, 1 / 2)
    assert (quality.wrong, quality.silent) == (1 / 2, 0)


def test_prompts_are_counted_as_answered_wrong_or_silent() -> None:
    results = {
        "fourth": [("x", 0.9), ("y", 0.8), ("z", 0.7), ("a", 0.6)],
        "below": [("a", 0.4)],
        "found": [("x", 0.9), ("a", 0.5)],
    }
    questions = [LabelledPrompt(prompt, frozenset("a")) for prompt in results]
    quality = measure_quality(results.__getitem__, questions, 0.5)
    assert (quality.answered, quality.wrong, quality.silent) == (1 / 3, 1 / 3, 1 / 3)


def test_user_lessons_can_be_evaluated(command_line: CommandLine, tmp_path: Path) -> None:
    rows = [
        {"id": "pin", "text": "A tag of a docker base image moves: pin its digest."},
        {"id": "heap", "text": "Raise the heap of Node when the build fails with ENOMEM."},
    ]
    command_line.output("ingest", "-", given="\n".join(map(json.dumps, rows)).encode())
    questions = [
        {"prompt": "the tag of our docker base image moves", "wanted": ["pin"]},
        {"prompt": "the build fails with ENOMEM, the heap is full", "wanted": ["heap", "gone"]},
        {"prompt": "tell me a joke about penguins", "wanted": []},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    completed = command_line.run("evaluate", str(path), "--json")
    assert json.loads(completed.output) == {
        "success": 1.0,
        "recall": 0.75,
        "precision": 1.0,
        "reciprocal": 1.0,
        "answered": 1.0,
        "wrong": 0.0,
        "silent": 0.0,
        "injected": 0.0,
        "threshold": 0.19,
    }
    assert "no lesson has the id 'gone'" in completed.errors
    table = command_line.output("evaluate", str(path))
    assert [line.split()[:2] for line in table.splitlines()[1:3]] == [
        ["S@5", "1.000"],
        ["R@5", "0.750"],
    ]


def test_shipped_lessons_can_be_evaluated(command_line: CommandLine) -> None:
    quality = json.loads(command_line.output("evaluate", "--json"))
    assert quality["success"] > 0.8
    assert quality["injected"] <= 0.05
    assert not command_line.folder.exists()
