"""Route tests run before a change takes effect."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.discovery.record_files import find_ready_routes
from hookwright.doctor.finding import find_setup
from hookwright.doctor.project import check_examples
from hookwright.simulate.batch import Call
from hookwright.simulate.trial import (
    Reason,
    explain_call,
    list_failed_tests,
    list_warnings,
)

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.project import PULL_REQUEST, URL, render

PATTERN = "acme[.]com/(?P<ticket>[0-9]+)"
BLOCKS = {
    "desc": "a ticket",
    "input": {"tool_name": "WebFetch", "tool_input": {"url": "https://acme.com/42"}},
    "expect": "block",
}
ROUTE = {
    "pattern": PATTERN,
    "message": "Run: acme show {ticket}",
    "requires": "no-such-command",
    "tests": [BLOCKS],
}
TAKEN = "routes.acme: its test 'a ticket' reaches routes.all"
MOVE = "run hookwright move acme --before all"
ROUTES = {
    "ours": {"pattern": "github[.]com/ours/", "action": "allow"},
    "gone": {**PULL_REQUEST, "requires": "no-such-command"},
    "shell": {**PULL_REQUEST, "tool": "Bash"},
    "all": {"pattern": "github[.]com", "message": "No."},
    "late": PULL_REQUEST,
}
OTHER, OURS = "https://example.com/", "https://github.com/ours/x"
DECIDES = "matches 'github.com' and decides: it denies"
ALLOWS = "matches 'github.com/ours/' and decides: it lets it through"
MISSING = "the command no-such-command is missing"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, ""),
        ({"pattern": "acme[.]org"}, "allow, not block"),
        ({"tests": [{**BLOCKS, "contains": "acme show 42"}]}, ""),
        ({"tests": [{**BLOCKS, "contains": "glab"}]}, "glab is not told"),
        ({"pattern": "acme[.]org", "disabled": True}, ""),
    ],
)
def test_failed_test_is_reported(fields: dict[str, Any], fault: str) -> None:
    lines = list_failed_tests({"acme": {**ROUTE, **fields}}, ["acme"])
    start = f"routes.acme: its test 'a ticket' fails: {fault}: "
    assert [line.startswith(start) for line in lines] == ([True] if fault else [])


@pytest.mark.long
def test_edit_reports_tests_that_it_breaks(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path, tmp_path: Path
) -> None:
    source = tmp_path / "shared.yml"
    source.write_text(json.dumps({"routes": {"acme": ROUTE}}))
    hookwright_line.run("add", "--from", source, "--yes", "--project", kept)
    choose_editor(PATTERN, PATTERN.replace("com", "org"))
    words = ("edit", "acme", "--dry-run", "--yes", "--project", kept)
    (failed,) = hookwright_line.run(*words).errors.splitlines()
    assert failed.startswith("hookwright: routes.acme: its test 'a ticket' fails: allow, not block")


@pytest.mark.parametrize(
    ("taker", "told"),
    [
        ({"pattern": "acme[.]com/"}, f"{TAKEN}, which is tried before it: {MOVE}"),
        ({"pattern": "acme", "action": "allow"}, f"{TAKEN}: correct the route or its test"),
        ({"pattern": "acme", "requires": "no-such-command"}, f"{TAKEN}, which is tried before it"),
        ({"pattern": "acme", "tool": "Bash"}, ""),
        ({"pattern": "acme", "disabled": True}, ""),
    ],
)
def test_route_that_captures_another_routes_example_is_reported(
    taker: dict[str, Any], told: str
) -> None:
    routes: dict[str, dict[str, Any]] = {"all": {"message": "M.", **taker}, "acme": ROUTE}
    lines = list_failed_tests(routes, ["acme"])
    assert lines == list_failed_tests(routes, ["all"])
    assert [line.startswith(told) for line in lines] == ([True] if told else [])
    assert list_failed_tests(routes, ["other"]) == []


def test_example_captured_only_by_a_later_route_is_reported() -> None:
    routes: dict[str, dict[str, Any]] = {
        "acme": {**ROUTE, "pattern": "acme[.]org"},
        "all": {"pattern": "acme", "message": "M."},
    }
    assert list_failed_tests(routes, ["acme"]) == [f"{TAKEN}: correct the route or its test"]


def test_counterexample_may_reach_another_route() -> None:
    tests = [{**BLOCKS, "expect": "allow"}]
    routes: dict[str, dict[str, Any]] = {
        "all": {"pattern": "acme", "action": "warn", "message": "M."}
    }
    assert list_failed_tests({**routes, "acme": {**ROUTE, "tests": tests}}, ["acme"]) == []


def test_ready_routes_match_their_examples() -> None:
    routes = {name: route for ready in find_ready_routes() for name, route in ready.routes.items()}
    assert list_warnings(routes, routes) == []


@pytest.mark.long
def test_every_command_reports_a_captured_example(
    hookwright_line: CommandLine, kept: Path, both: Path, tmp_path: Path
) -> None:
    routes: dict[str, dict[str, Any]] = {
        "all": {"pattern": "acme", "message": "M."},
        "acme": ROUTE,
    }
    (tmp_path / "shared.yml").write_text(json.dumps({"routes": routes}))
    options = ("--yes", "--project", kept)
    assert MOVE in hookwright_line.run("add", "--from", tmp_path / "shared.yml", *options).errors
    words = ("--data-file", tmp_path / "shared.yml", "--yes", "--no-commit")
    assert MOVE in hookwright_line.run("new", tmp_path / "new", *words).errors
    hookwright_line.output("move", "acme", "--before", "all", *options)
    fields = ("--pattern", "acme", "--message", "M.", "--first")
    assert "reaches routes.b" in hookwright_line.run("add", "route", "b", *fields, *options).errors
    setup = replace(find_setup(both), routes=routes)
    assert MOVE in "".join(example.line for example in check_examples(setup))


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(template, tmp_path_factory.mktemp("reasons") / "my-hooks", routes=ROUTES)


@pytest.mark.parametrize(
    ("route", "url", "reason"),
    [
        ("all", URL, Reason("all", f"all {DECIDES}")),
        ("late", URL, Reason("all", f"all {DECIDES}")),
        ("gone", URL, Reason("all", f"gone matches, but is skipped: {MISSING}")),
        ("gone", OTHER, Reason("", "gone does not match")),
        ("shell", URL, Reason("all", "shell is for another tool")),
        ("all", OURS, Reason("ours", f"ours {ALLOWS}")),
    ],
)
def test_reason_matches_try(
    hookwright_line: CommandLine, project: Path, route: str, url: str, reason: Reason
) -> None:
    script = (project / "hooks" / "tool_routing.py").read_bytes()
    assert explain_call(script, Call("WebFetch", {"url": url}), route) == reason
    shown = hookwright_line.output("try", "--project", project, url)
    assert reason.line.replace(" ", ": ", 1) in shown
