"""The tests of routes are run before a change is applied."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookwright.simulate.route_tests import list_failed_tests

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor

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
def test_failed_test_is_told(fields: dict[str, Any], fault: str) -> None:
    lines = list_failed_tests({"acme": {**ROUTE, **fields}}, ["acme"])
    start = f"routes.acme: its test 'a ticket' fails: {fault}: "
    assert [line.startswith(start) for line in lines] == ([True] if fault else [])


def test_edit_tells_tests_that_it_breaks(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path, tmp_path: Path
) -> None:
    source = tmp_path / "shared.yml"
    source.write_text(json.dumps({"routes": {"acme": ROUTE}}))
    hookwright_line.run("add", "--from", source, "--yes", "--project", kept)
    choose_editor(PATTERN, "acme[.]org")
    words = ("edit", "acme", "--dry-run", "--yes", "--project", kept)
    unfilled, failed = hookwright_line.run(*words).errors.splitlines()
    assert "message has {ticket}, but pattern has no such group" in unfilled
    assert failed.startswith("hookwright: routes.acme: its test 'a ticket' fails: allow, not block")
