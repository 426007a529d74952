"""A route that reaches further than anyone means is told in a line, wherever it comes from."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookwright.discovery.ready_routes import find_ready_routes
from hookwright.doctor.records import check_patterns
from hookwright.doctor.setup import find_setup
from hookwright.patterns.breadth import list_broad

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor

ALLOW = {"pattern": ".", "action": "allow"}
EVERY = {"pattern": "pastebin", "message": "No.", "tool": ".*"}
THROUGH = "allows almost any call of WebFetch before other routes are tried"
FOR_ALL = "matches every tool: name the ones you mean"


@pytest.mark.parametrize(
    ("route", "told"),
    [
        *(({**ALLOW, "pattern": p}, THROUGH) for p in ("", ".", ".*", "x?", "^", "https?://", "/")),
        *(({**ALLOW, "pattern": pattern}, THROUGH) for pattern in (r"\.com", r"[a-z]{3}", "HTTP")),
        ({**ALLOW, "contains": "https"}, THROUGH),
        ({**ALLOW, "tool": "Bash"}, "allows almost any call of Bash"),
        ({**ALLOW, "tool": ".*"}, "allows almost any call of every tool"),
        *(({**EVERY, "tool": tool}, FOR_ALL) for tool in (".*", ".+", r"\w+", "(?i)[a-z_]*")),
    ],
)
def test_broad_route_is_told(route: dict[str, Any], told: str) -> None:
    (line,) = list_broad({"a": route})
    assert line.startswith("routes.a ")
    assert told in line


@pytest.mark.parametrize(
    "route",
    [
        {**ALLOW, "pattern": r"github\.com"},
        {**ALLOW, "pattern": r"^https://(docs\.python\.org|go\.dev)/"},
        {**ALLOW, "contains": "docs.python.org"},
        {**ALLOW, "tool": "Bash", "pattern": r"\bcurl\b"},
        {"pattern": ".", "message": "No fetches here."},
        {**EVERY, "tool": "mcp__.*"},
        {**EVERY, "tool": "WebFetch|Bash"},
        {**ALLOW, "pattern": "("},
        {**EVERY, "tool": "("},
    ],
)
def test_other_route_is_not_told(route: dict[str, Any]) -> None:
    assert list_broad({"a": route}) == []


def test_ready_routes_are_not_told() -> None:
    assert [list_broad(ready.routes) for ready in find_ready_routes()] == [[]] * 8


@pytest.mark.parametrize("verb", ["add", "sync"])
def test_route_of_a_catalogue(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, verb: str
) -> None:
    source = tmp_path / "shared.yml"
    usual = {"pattern": "pastebin", "message": "No."}
    source.write_text(json.dumps({"routes": {"a": usual}}))
    words = ("--yes", "--project", kept)
    if verb == "sync":
        hookwright_line.tell("add", "--from", source, *words)
    source.write_text(json.dumps({"routes": {"a": ALLOW, "b": EVERY}}))
    command = ("sync", "--check") if verb == "sync" else ("add", "--from", source)
    errors = hookwright_line.run(*command, *words).errors
    assert f"hookwright: routes.a {THROUGH}" in errors
    assert f"hookwright: routes.b {FOR_ALL}" in errors


def test_route_of_options(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("--pattern", ".", "--action", "allow", "--yes", "--project", kept)
    assert f"routes.all {THROUGH}" in hookwright_line.run("add", "route", "all", *words).errors


def test_route_that_is_edited(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("  linear:\n", "  linear:\n    tool: .*\n")
    errors = hookwright_line.run("edit", "--yes", "--project", kept).errors
    assert errors == f"hookwright: routes.linear {FOR_ALL}\n"


def test_route_of_answers(hookwright_line: CommandLine, tmp_path: Path) -> None:
    answers = {"hooks": ["tool_routing"], "routes": {"all": ALLOW, "none": EVERY}}
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    words = ("--data-file", tmp_path / "answers.json", "--yes", "--no-commit")
    assert THROUGH in hookwright_line.run("new", tmp_path / "new", *words).errors


def test_route_of_a_project(both: Path) -> None:
    setup = find_setup(both)
    setup = type(setup)(**{**setup.__dict__, "routes": {"all": ALLOW, "bad": {"pattern": "("}}})
    found = {one.status: one.line for one in check_patterns(setup, lambda _: None)}
    assert THROUGH in found["warn"]
    assert found["fault"].startswith("routes.bad")
