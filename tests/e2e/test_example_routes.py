"""In the real client, the example routes behave as documented."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..support.project import ROOT, render
from .clients.claude import Claude
from .model import Call
from .routes import bash

Routes = dict[str, dict[str, Any]]

EXAMPLES = sorted((ROOT / "examples" / "routes").glob("*.yml"))


def list_stubs(routes: Routes) -> set[str]:
    return {route["requires"] for route in routes.values() if "requires" in route} - {"python3"}


@pytest.fixture(params=EXAMPLES, ids=lambda path: str(path.stem))
def routes(request: pytest.FixtureRequest) -> Routes:
    answers: dict[str, Routes] = yaml.safe_load(request.param.read_text())
    return answers["routes"]


@pytest.fixture
def client_with_tools(
    claude: Claude,
    template: Path,
    routes: Routes,
    monkeypatch: pytest.MonkeyPatch,
) -> Claude:
    stubs = claude.home / "stubs"
    stubs.mkdir()
    for command in list_stubs(routes):
        (stubs / command).write_text('#!/bin/sh\nprintf "<%s>" "${0##*/}" "$@"\n')
        (stubs / command).chmod(0o755)
    monkeypatch.setenv("PATH", str(stubs), prepend=":")
    return claude.load_plugin(render(template, claude.home / "example", routes=routes))


def test_example_route_suggests_a_working_command(
    client_with_tools: Claude, routes: Routes
) -> None:
    tests = [test for route in routes.values() for test in route.get("tests", [])]
    blocking = [test for test in tests if test["expect"] == "block"]
    inputs = [test["input"] for test in blocking]
    calls = [Call(event["tool_name"], event["tool_input"]) for event in inputs]
    (blocked,) = client_with_tools.converse(calls).main
    for test, result in zip(blocking, blocked.results, strict=True):
        assert "hook error" in result.text, test["desc"]
        assert test.get("contains", "") in result.text, test["desc"]
    commands = [
        line
        for result in blocked.results
        for line in re.findall("Run.*:\n(.+)", result.text)
        if line.split(" ")[0] in list_stubs(routes)
    ]
    if not commands:
        return
    (ran,) = client_with_tools.converse([bash(command) for command in commands]).main
    expected = ["".join(f"<{word}>" for word in shlex.split(command)) for command in commands]
    assert [result.text for result in ran.results] == expected
