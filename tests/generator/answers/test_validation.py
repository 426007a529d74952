"""Answers are checked as in Copier, with the template's own validators."""

import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.answers.validation import check_answers, check_record
from hookwright_console.text import make_printable

from ...support.hypothesis_profiles import examples
from ...support.printable_values import VALUES
from ...support.processor_limit import limit_processor
from ...support.project import GITHUB_API, GITLAB, PULL_REQUEST, ROOT, ROUTES, render

CALL = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/b"}}
QUESTIONS = ["databases", "routes", "mcp_servers", "hooks", "project_name", "retry_window"]
GOOD: list[tuple[str, Any]] = [
    ("databases", "[{keywords: [b], path: b, mcp_tool_name: c, description: d}]"),
    ("routes", {"github-pr": PULL_REQUEST, "github-api": GITHUB_API}),
    ("mcp_servers", {}),
    ("hooks", ["docsearch", "tool_routing"]),
    ("project_name", "my-hooks"),
    ("retry_window", "300"),
    ("transport", "http"),
    ("lesson_server_url", "http://127.0.0.1:7731"),
]
BAD: list[tuple[str, Any]] = [
    ("databases", []),
    ("databases", None),
    ("databases", [GITLAB, {**GITLAB, "keywords": [5]}]),
    ("databases", [{**GITLAB, "pth": "a"}]),
    ("databases", [{"keywords": ["a"]}]),
    ("databases", [{**GITLAB, "path": "a\u202eb"}]),
    ("databases", [{**GITLAB, "arguments": {"a": {"b": [1e400]}}}]),
    ("routes", {"a: b [c]": {**PULL_REQUEST, "once": 1}}),
    ("routes", {"a": {**PULL_REQUEST, "tests": [{"desc": "b", "input": CALL, "expect": "deny"}]}}),
    ("routes", {"\x9b2J": PULL_REQUEST}),
    ("mcp_servers", {"a b": {"command": "c"}}),
    ("mcp_servers", {"a": 5}),
    ("hooks", []),
    ("project_name", "My hooks"),
    ("retry_window", 0),
    ("lesson_server_url", "http://127.0.0.1:99999"),
]
# Answers that Copier rejects before any validator runs, with its own message.
UNTYPED: list[tuple[str, Any]] = [
    ("retry_window", "soon"),
    ("retry_window", [1]),
    ("retry_window", float("inf")),
    ("project_name", None),
    ("project_name", ["a"]),
    ("hooks", 5),
    ("transport", "tcp"),
    ("databases", "[a"),
    ("databases", "\x9b[2J"),
]


def ask_copier(template: Path, destination: Path, question: str, value: object) -> str:
    hooks = {"lesson_search"} if question in {"transport", "lesson_server_url"} else {"docsearch"}
    hooks |= {"tool_routing"} if question == "routes" else set()
    answers = {"hooks": sorted(hooks), "databases": [GITLAB], "routes": ROUTES, question: value}
    try:
        render(template, destination, **answers)
    except ValueError as error:
        return str(error).removeprefix(f"Validation error for question '{question}': ")
    return ""


@pytest.mark.parametrize(("question", "value"), GOOD)
def test_valid_answer_passes(template: Path, tmp_path: Path, question: str, value: object) -> None:
    assert ask_copier(template, tmp_path / "rendered", question, value) == ""
    assert check_answers(template, question, value) == ""


@pytest.mark.parametrize(("question", "value"), BAD)
def test_invalid_answer_gets_copiers_message(
    template: Path, tmp_path: Path, question: str, value: object
) -> None:
    said = ask_copier(template, tmp_path / "rendered", question, value)
    assert check_answers(template, question, value) == make_printable(said)
    assert said.startswith(question)


def test_answer_of_another_type_is_reported(template: Path) -> None:
    for question, value in UNTYPED:
        complaint = check_answers(template, question, value)
        assert complaint.startswith(f"{question} is ")
        assert ": " in complaint
        assert complaint.isprintable()


def test_unknown_choice_is_reported(template: Path) -> None:
    assert check_answers(template, "hooks", ["docsearch", "docsearh"]).startswith(
        'hooks[1] is "docsearh": choose from docsearch, '
    )


def test_dependent_answer_is_checked(template: Path) -> None:
    url = "https://lessons.example.com"
    assert "transport" in check_answers(template, "lesson_server_url", url)
    assert check_answers(template, "lesson_server_url", url, {"transport": "http"}) == ""


def test_single_record_is_checked(template: Path) -> None:
    assert check_record(template, "databases", GITLAB) == ""
    assert check_record(template, "databases", {}).startswith("databases[0] has no keywords")
    assert check_record(template, "routes", PULL_REQUEST, "a") == ""
    assert check_record(template, "routes", {}, "a b").startswith("routes.a b has no pattern")


def test_unknown_question_is_an_error(template: Path) -> None:
    with pytest.raises(KeyError):
        check_answers(template, "no_such_question", 1)


def test_pattern_warning_is_not_printed(template: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_record(template, "routes", {"pattern": "[[ab]c", "message": "Ask."}) == ""


HOSTILE = st.text() | VALUES | st.dictionaries(st.text() | st.integers() | st.none(), VALUES)


@given(st.sampled_from(QUESTIONS), st.lists(HOSTILE) | HOSTILE)
def test_check_accepts_any_input(question: str, value: object) -> None:
    complaint = check_answers(ROOT, question, value)
    assert complaint.isprintable()
    assert not complaint or complaint.startswith(question)


@settings(max_examples=examples(25))
@given(
    st.sampled_from(["databases", "routes"]),
    st.dictionaries(st.sampled_from([*GITLAB, *PULL_REQUEST, "tool", "arguments"]), HOSTILE),
    st.text(max_size=4),
)
def test_messages_match_copier(
    template: Path, tmp_path: Path, question: str, changed: dict[str, object], name: str
) -> None:
    record = {**(GITLAB if question == "databases" else PULL_REQUEST), **changed}
    value = {name: record} if question == "routes" else [record]
    said = ask_copier(template, tmp_path / str(time.monotonic_ns()), question, value)
    complaint = check_answers(template, question, value)
    assert bool(complaint) == bool(said)
    if said.startswith(question):  # otherwise the message comes from re
        assert complaint == make_printable(said)


@pytest.mark.parametrize(("value", "shown"), [(True, "true"), (1.9, "1.9")])
def test_number_must_be_an_integer(value: object, shown: str) -> None:
    told = f"retry_window is {shown}: enter a whole number"
    assert check_answers(ROOT, "retry_window", value) == told
    assert check_answers(ROOT, "retry_window", 2.0) == ""


def test_long_values_are_rejected_quickly() -> None:
    record: dict[str, Any] = {**GITLAB, "path": "x" * 500_000 + "\n"}
    with limit_processor():
        assert "characters: use at most" in check_record(ROOT, "databases", record)
        record |= {"path": "p", "arguments": {"a": "\u200d" * 500_000}}
        assert "take out U+200D" in check_record(ROOT, "databases", record)
