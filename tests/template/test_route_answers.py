"""Valid routes are accepted; each invalid route is rejected with a one-line reason."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hookwright.answers.validation import check_answers

from ..support.bad_answers import BadAnswer
from ..support.bad_routes import (
    BAD_MAPPINGS,
    BAD_PATTERNS,
    BAD_ROUTES,
    BAD_TESTS,
    BAD_TOOLS,
    ROUTE,
    TEST,
    UNCOMPILED_TOOLS,
)
from ..support.git_repository import call_copier
from ..support.project import GITLAB, ROOT, ROUTES, render
from ..support.refusal import assert_refused, assert_uncompiled
from ..support.rendered_project import read_answers, read_json, read_route_tables

GOOD = [
    "{pattern: a, action: allow}",
    "{pattern: a, action: allow, message: b}",
    "{pattern: a, message: b, action: warn, once: false}",
    "{pattern: a, message: b, action: block, once: true, raw: true, requires: g++}",
    "{pattern: a, message: b, tool: 'Bash|mcp__(a|b)__.*fetch.*', field: file_path}",
    '{pattern: a, message: b, contains: "Host: {a} it\'s"}',
    "{pattern: a, message: b, tests: []}",
    r'{pattern: a, message: "b\n\nc\n  d"}',
    "pattern: (?P<number>a)\nmessage: |\n  b {number}\n\n  c\n",
    "pattern: a\nmessage: |+\n  b\n\n",
    "pattern: >-\n  a\nmessage: >\n  b\n  c\n",
]


def test_invalid_answer_is_rejected() -> None:
    for bad in [*BAD_ROUTES, *BAD_TESTS, *BAD_MAPPINGS, *BAD_TOOLS]:
        assert_refused(bad)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("fatigue_limit", "three"),
        ("fatigue_limit", None),
        ("record_blocks", None),
    ],
)
def test_answer_of_another_type_is_rejected(
    template: Path, tmp_path: Path, question: str, answer: object
) -> None:
    with pytest.raises((ValueError, TypeError)):
        render(template, tmp_path / "bad", routes=ROUTES, **{question: answer})
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize("bad", BAD_PATTERNS, ids=str)
def test_uncompilable_pattern_is_rejected(bad: BadAnswer) -> None:
    assert_uncompiled(bad, "pattern")


@pytest.mark.parametrize("bad", UNCOMPILED_TOOLS, ids=str)
def test_uncompilable_tool_is_rejected(bad: BadAnswer) -> None:
    assert_uncompiled(bad, "tool")


def test_valid_routes_are_accepted(template: Path, tmp_path: Path) -> None:
    routes = {f"r{number}": yaml.safe_load(route) for number, route in enumerate(GOOD)}
    rendered = render(template, tmp_path / "rendered", routes=routes)
    assert read_answers(rendered)["routes"] == routes


def test_tests_may_contain_multiline_commands(template: Path, tmp_path: Path) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "curl \\\n  https://a/b\n", "n": [1]}}
    test = {"desc": "a line that goes on", "input": call, "expect": "block", "contains": "a\nb"}
    routes = {"r": {**ROUTE, "tool": "Bash", "tests": [TEST, test]}}
    rendered = render(template, tmp_path / "rendered", routes=routes)
    assert read_answers(rendered)["routes"] == routes


def test_design_routes_work_unchanged(template: Path, tmp_path: Path) -> None:
    data = tmp_path / "tool-routes.json"
    data.write_text(json.dumps({"routes": ROUTES}, indent=2))
    destination = tmp_path / "routed"
    call_copier(tmp_path, "copy", "--defaults", "--data-file", data, template, destination)
    answers = read_answers(destination)
    assert answers["hooks"] == ["tool_routing"]
    assert answers["routes"] == ROUTES
    assert [row["name"] for row in read_route_tables(destination).routes] == [*ROUTES]


@pytest.mark.parametrize(
    ("data", "hooks"),
    [
        ({"databases": [GITLAB]}, ["docsearch"]),
        ({"routes": ROUTES}, ["tool_routing"]),
        ({"routes": ROUTES, "databases": [GITLAB]}, ["docsearch", "tool_routing"]),
    ],
    ids=["databases", "routes", "both"],
)
def test_data_determines_the_hooks(
    template: Path, tmp_path: Path, data: dict[str, Any], hooks: list[str]
) -> None:
    rendered = render(template, tmp_path / "rendered", **data)
    assert read_answers(rendered)["hooks"] == hooks
    entries = read_json(rendered, "settings.json")["hooks"]["PreToolUse"]
    assert len(entries) == len(hooks)


def test_only_routes_are_required(routed: Path) -> None:
    stored = {name: answer for name, answer in read_answers(routed).items() if name[0] != "_"}
    assert stored == {
        "project_name": "my-hooks",
        "hooks": ["tool_routing"],
        "clients": ["claude"],
        "routes": ROUTES,
        "retry_window": 300,
        "fatigue_limit": 0,
        "record_blocks": False,
        "renovate": False,
    }


def test_answers_may_be_text(template: Path, tmp_path: Path) -> None:
    answers = {"routes": json.dumps({"r": ROUTE}), "fatigue_limit": "3", "record_blocks": "yes"}
    stored = read_answers(render(template, tmp_path / "rendered", **answers))
    assert stored["routes"] == {"r": ROUTE}
    assert (stored["fatigue_limit"], stored["record_blocks"]) == (3, True)


@pytest.mark.parametrize("pattern", ["a++b", "a{1,2}+", "a{,}+", "x(?>a)", r"\\++"])
def test_pattern_for_newer_python_is_rejected(pattern: str) -> None:
    message = check_answers(ROOT, "routes", {"a": {"pattern": pattern, "message": "m"}})
    assert "needs Python 3.11; write it without" in message


@pytest.mark.parametrize("pattern", [r"c\+\+", "[*+]+b", "a+?b", "a{}+", r"(?#\)++)", "[(?>]+"])
def test_similar_looking_pattern_is_accepted(pattern: str) -> None:
    assert check_answers(ROOT, "routes", {"a": {"pattern": pattern, "message": "m"}}) == ""
