"""A route that is valid, and hardly does what its author means, is told in a line."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.discovery.ready_routes import find_ready_routes
from hookwright.doctor.records import check_patterns
from hookwright.doctor.setup import find_setup
from hookwright.patterns.route_warnings import list_doubts, list_unfilled

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor

PATTERN = r"^https://acme[.]com/(?P<team>\w+)/(?P<number>\d+)"
UNFILLED = "message has {nummer}, but pattern has no such group (it has team, number)"


def build(message: str, pattern: str = PATTERN) -> dict[str, dict[str, Any]]:
    return {"a": {"pattern": pattern, "message": message}}


def test_word_that_is_no_group_is_told() -> None:
    (line,) = list_unfilled(build("Run: acme show {nummer} --team {team}"))
    assert line.startswith(f"routes.a: {UNFILLED}: ")
    assert list_unfilled(build("Run: gh pr view {nummer} --repo {team}"))
    (line,) = list_unfilled(build("Run: acme show {number}", "acme"))
    assert "message has {number}, but pattern has no such group (it has none)" in line


@pytest.mark.parametrize(
    "message",
    [
        'Call t with {"id": "{nummer}"}',
        'Call t with {"team": "{team}", "id": {nummer}}',
        'Call t with {"url": "https://acme.com/{nummer}", "team": "{team}"}',
        'Call t with {"ids": ["{nummer}"]}',
    ],
)
def test_word_in_json_that_is_no_group_is_told(message: str) -> None:
    (line,) = list_unfilled(build(message))
    assert line.startswith(f"routes.a: {UNFILLED}: ")


@pytest.mark.parametrize(
    "message",
    [
        *(
            'Call t with {"id": "{number}", "n": {number}}',
            '{"a": {"b": "c"}}',
            '{"a": [{"b": 1}]}',
        ),
        *('{"a": "${nummer}"}', '{"a": f"{nummer}"}', '{"a": "{{nummer}}"}'),
        *("{number} of {team}", "{}", "{1}", "${nummer}", "${HOME}", "{{nummer}}", "%{http_code}"),
        *('{"a": 1}', "{a: b}", "{a,b}", "git show stash@{upstream}", "awk '{print}'", "{ x }"),
    ],
)
def test_braces_that_mean_themselves_are_not(message: str) -> None:
    assert list_unfilled(build(message)) == []


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
    assert list_unfilled(build(message)) == []


@pytest.mark.parametrize(
    "written",
    [
        *("{ number }", "{{number}}", "${number}", "{number!r}", "{number:d}"),
        *("$number", "<number>", "{number }", "{{ number }}"),
    ],
)
def test_group_that_is_written_another_way_is_told(written: str) -> None:
    (line,) = list_unfilled(build(f"Run: acme show {written} of {{team}}"))
    assert line == (
        f"routes.a: message has {written}, which is not filled in: "
        "write {number} for the group of the pattern"
    )


def test_hostile_words_stay_short_and_printable() -> None:
    (line,) = list_doubts({"a\x1b": build("{" + "x" * 5000 + "}")["a"]})
    assert line.isprintable()
    assert len(line) < 400


def test_ready_routes_are_not_told() -> None:
    routes = {name: one for ready in find_ready_routes() for name, one in ready.routes.items()}
    assert list_doubts(routes) == []


def test_route_of_options(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("--pattern", r"linear\.app/x/issue/(?P<id>\w+)", "--message", "Show {key}.")
    ended = hookwright_line.run("add", "route", "linear-issue", *words, "--yes", "--project", kept)
    (line,) = ended.errors.splitlines()
    assert "{key}" in line


def test_route_that_is_edited(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("Ask Jira", "Ask {site}")
    (line,) = hookwright_line.run("edit", "--yes", "--project", kept).errors.splitlines()
    assert "routes.atlassian: message has {site}" in line


def test_route_of_a_project(both: Path) -> None:
    setup = find_setup(both)
    setup = replace(setup, routes=build("{nummer}"))
    (line,) = (one.line for one in check_patterns(setup, lambda _: None) if one.status == "warn")
    assert UNFILLED in line
