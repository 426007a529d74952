"""A valid route that probably does not work as intended causes a one-line warning."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.answers.validation import check_record
from hookwright.discovery.record_files import find_ready_routes
from hookwright.doctor.finding import find_setup
from hookwright.doctor.project import check_patterns
from hookwright.patterns.check import list_broad, list_doubts

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.hypothesis_profiles import mark_long
from ...support.project import ROOT

PATTERN = r"^https://acme[.]com/(?P<team>\w+)/(?P<number>\d+)"
UNFILLED = 'message has "{nummer}", which is not a group of the pattern: name a group'
ALLOW = {"pattern": ".", "action": "allow"}
EVERY = {"pattern": "pastebin", "message": "No.", "tool": ".*"}
THROUGH = "allows almost any call of WebFetch before other routes are tried"
FOR_ALL = "matches every tool: name the ones you mean"


def build(message: str, pattern: str = PATTERN) -> dict[str, dict[str, Any]]:
    return {"a": {"pattern": pattern, "message": message}}


def check(message: str, pattern: str = PATTERN) -> str:
    return check_record(ROOT, "routes", {"pattern": pattern, "message": message}, "a")


@pytest.mark.parametrize(
    "message",
    [
        "Run: acme show {nummer} --team {team}",
        "Run: gh pr view {nummer} --repo {team}",
        'Call t with {"id": "{nummer}"}',
        'Call t with {"team": "{team}", "id": {nummer}}',
        'Call t with {"url": "https://acme.com/{nummer}", "team": "{team}"}',
        'Call t with {"ids": ["{nummer}"]}',
    ],
)
def test_placeholder_without_a_group_is_rejected(message: str) -> None:
    assert check(message).startswith(f"routes.a: {UNFILLED}")
    assert "number" in check("Run: acme show {number}", "acme")


def test_literal_braces_are_accepted() -> None:
    for message in [
        *(
            'Call t with {"id": "{number}", "n": {number}}',
            '{"a": {"b": "c"}}',
            '{"a": [{"b": 1}]}',
        ),
        *('{"a": "${nummer}"}', '{"a": f"{nummer}"}', '{"a": "{{nummer}}"}'),
        *("{number} of {team}", "{}", "{1}", "${nummer}", "${HOME}", "{{nummer}}", "%{http_code}"),
        *('{"a": 1}', "{a: b}", "{a,b}", "git show stash@{upstream}", "awk '{print}'", "{ x }"),
    ]:
        assert check(message) == ""


@pytest.mark.parametrize(
    "message",
    [
        "Run: gh api repos/{owner}/{repo}",
        "Run: curl x | jq '.[] | {name}'",
        "git show HEAD^{tree}",
        r"\frac{a}{b}",
        'Write "{useState}"',
        "import {useState} from react",
        "<div>{name}</div>",
    ],
)
def test_code_keeps_its_braces(message: str) -> None:
    assert check(message) == ""


@pytest.mark.parametrize(
    "written",
    [
        *("{ number }", "{{number}}", "${number}", "{number!r}", "{number:d}"),
        *("$number", "<number>", "{number }", "{{ number }}"),
    ],
)
def test_alternative_group_spelling_is_reported(written: str) -> None:
    (line,) = list_doubts(build(f"Run: acme show {written} of {{team}}"))
    assert line == (
        f"routes.a: message has {written}, which is not filled in: "
        "write {number} for the group of the pattern"
    )


def test_hostile_placeholders_stay_short_and_printable() -> None:
    line = check("{" + "x" * 5000 + "}")
    assert line.isprintable()
    assert len(line) < 400


def test_ready_routes_cause_no_warning() -> None:
    routes = {name: route for ready in find_ready_routes() for name, route in ready.routes.items()}
    assert list_doubts(routes) == []


def test_route_from_options_is_checked(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("--pattern", r"linear\.app/x/issue/(?P<id>\w+)", "--message", "Show {key}.")
    line = hookwright_line.error("add", "route", "linear-issue", *words, "--yes", "--project", kept)
    assert 'message has "{key}", which is not a group' in line


def test_edited_route_is_checked(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("Ask Jira", "Ask {site}")
    errors = hookwright_line.run("edit", "--yes", "--project", kept).errors
    assert 'message has "{site}", which is not a group of the pattern: name a group, or ' in errors
    assert "write '{site}' with the quotes" in errors


def test_project_route_is_checked(both: Path) -> None:
    setup = find_setup(both)
    setup = replace(setup, routes=build("{nummer}"))
    (line,) = (pattern.line for pattern in check_patterns(setup) if pattern.status == "warn")
    assert UNFILLED in line


def test_broad_route_is_reported() -> None:
    for route, told in [
        *(({**ALLOW, "pattern": p}, THROUGH) for p in ("", ".", ".*", "x?", "^", "https?://", "/")),
        *(({**ALLOW, "pattern": pattern}, THROUGH) for pattern in (r"\.com", r"[a-z]{3}", "HTTP")),
        ({**ALLOW, "contains": "https"}, THROUGH),
        ({"pattern": ".*", "message": "No."}, "matches every URL: narrow its pattern"),
        ({**ALLOW, "tool": "Bash"}, "allows almost any call of Bash"),
        ({**ALLOW, "tool": ".*"}, "allows almost any call of every tool"),
        *(({**EVERY, "tool": tool}, FOR_ALL) for tool in (".*", ".+", r"\w+", "(?i)[a-z_]*")),
    ]:
        (line,) = list_broad({"a": route})
        assert line.startswith("routes.a ")
        assert told in line


def test_narrow_route_is_not_reported() -> None:
    for route in [
        {**ALLOW, "pattern": r"github\.com"},
        {**ALLOW, "pattern": r"^https://(docs\.python\.org|go\.dev)/"},
        {**ALLOW, "contains": "docs.python.org"},
        {**ALLOW, "tool": "Bash", "pattern": r"\bcurl\b"},
        {"pattern": ".", "contains": "docs.python.org", "message": "Not these."},
        {**EVERY, "tool": "mcp__.*"},
        {**EVERY, "tool": "WebFetch|Bash"},
        {**ALLOW, "pattern": "("},
        {**EVERY, "tool": "("},
    ]:
        assert list_broad({"a": route}) == []


def test_ready_routes_are_not_broad() -> None:
    assert [list_broad(ready.routes) for ready in find_ready_routes()] == [[]] * 8


@pytest.mark.parametrize("verb", ["add", *mark_long(["sync"])])
def test_catalogue_route_is_checked(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, verb: str
) -> None:
    source = tmp_path / "shared.yml"
    usual = {"pattern": "pastebin", "message": "No."}
    source.write_text(json.dumps({"routes": {"a": usual}}))
    words = ("--yes", "--project", kept)
    if verb == "sync":
        hookwright_line.output("add", "--from", source, *words)
    source.write_text(json.dumps({"routes": {"a": ALLOW, "b": EVERY}}))
    command = ("sync", "--check") if verb == "sync" else ("add", "--from", source)
    errors = hookwright_line.run(*command, *words).errors
    assert f"hookwright: routes.a {THROUGH}" in errors
    assert f"hookwright: routes.b {FOR_ALL}" in errors


def test_broad_route_from_options_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("--pattern", ".", "--action", "allow", "--yes", "--project", kept)
    assert f"routes.all {THROUGH}" in hookwright_line.run("add", "route", "all", *words).errors


def test_broad_edited_route_is_reported(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("  linear:\n", "  linear:\n    tool: .*\n")
    errors = hookwright_line.run("edit", "--yes", "--project", kept).errors
    assert errors == f"hookwright: routes.linear {FOR_ALL}\n"


@pytest.mark.long
def test_route_from_answers_is_checked(hookwright_line: CommandLine, tmp_path: Path) -> None:
    answers = {"hooks": ["tool_routing"], "routes": {"all": ALLOW, "none": EVERY}}
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    words = ("--data-file", tmp_path / "answers.json", "--yes", "--no-commit")
    assert THROUGH in hookwright_line.run("new", tmp_path / "new", *words).errors


def test_broad_project_route_is_reported(both: Path) -> None:
    setup = find_setup(both)
    setup = type(setup)(**{**setup.__dict__, "routes": {"all": ALLOW, "bad": {"pattern": "("}}})
    lines = {pattern.status: pattern.line for pattern in check_patterns(setup)}
    assert THROUGH in lines["warn"]
    assert lines["fault"].startswith("routes.bad")
