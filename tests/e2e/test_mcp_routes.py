"""A route for an MCP server's tool works in the real client."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.project import ROOT, render
from .clients.claude import Claude
from .model import Call
from .routes import PULL_REQUEST, bash, fetch

SERVER = ROOT / "tests" / "support" / "fake_fetch_server.py"
PULL_URL = "https://github.com/octo/hello/pull/42"
OTHER_URL = "https://example.com/"

# A replacement for the hook that records the calls for which it is invoked.
SPY = """
import json, pathlib, sys
event = json.load(sys.stdin)
print(event["tool_name"], file=pathlib.Path(__file__).with_suffix(".calls").open("a"))
"""


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("mcp") / "my-hooks",
        routes={
            "pull-request": PULL_REQUEST,
            "any-fetch": {**PULL_REQUEST, "tool": "mcp__.*fetch.*", "field": "urls"},
        },
    )


@pytest.fixture
def connected(installed: Claude) -> Claude:
    servers = {"lab": {"command": sys.executable, "args": [str(SERVER)]}}
    options = ("--mcp-config", json.dumps({"mcpServers": servers}))
    return replace(
        installed, options=(*installed.options, *options, "--allowedTools", "mcp__lab__fetch")
    )


def fetch_all(*urls: str) -> Call:
    return Call("mcp__lab__fetch", {"urls": list(urls)})


def test_server_tool_is_blocked(connected: Claude) -> None:
    run = connected.converse(
        [fetch_all(OTHER_URL, PULL_URL)],
        [fetch_all(OTHER_URL)],
        [fetch(PULL_URL), fetch_all(PULL_URL)],
    )
    blocked, other, both = run.main
    assert blocked.errors == [True]
    assert "Better: gh pr view 42 --repo octo/hello" in blocked.results[0].text
    assert other.results[0].text == "These are 1 pages."
    assert ["gh pr view 42" in result.text for result in both.results] == [True, True]
    assert run.last.count("Better:") == 3


def test_hook_runs_only_for_its_tools(connected: Claude) -> None:
    for script in list(connected.home.rglob("tool_routing*.py")):
        script.write_text(SPY)
    read = Call("Read", {"file_path": "/nowhere"})
    search = Call("WebSearch", {"query": "prefetch"})
    connected.converse([fetch(OTHER_URL)], [fetch_all(OTHER_URL)], [bash("echo")], [read], [search])
    (calls,) = connected.home.rglob("tool_routing*.calls")
    assert calls.read_text().split() == ["WebFetch", "mcp__lab__fetch"]
