"""Route tools, and MCP tools in messages, are translated for each client."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookwright.clients.dialects import read_dialects
from hookwright.project.rendered_hooks import read_tables

from ..support.dialects import OTHERS
from ..support.project import render

# For each route tool, its name in Codex, Copilot, Gemini, Qwen and opencode; "" if there is no
# equivalent.
TOOLS = {
    "WebFetch": ("", "web_fetch", "web_fetch", "web_fetch", "webfetch"),
    "Bash|WebSearch": (
        "shell",
        "web_search|bash",
        "google_web_search|run_shell_command",
        "run_shell_command",
        "websearch|bash",
    ),
    "Web.*": (
        "",
        "web_search|web_fetch",
        "google_web_search|web_fetch",
        "web_fetch",
        "websearch|webfetch",
    ),
    "Read": ("", "", "", "", ""),
    ".*fetch": (".*fetch",) * 5,
    "mcp__docs__get": ("mcp__docs__get", "docs-get", "mcp_docs_get", "mcp__docs__get", "docs_get"),
    "mcp__docs__.*": ("mcp__docs__.*", "docs-.*", "mcp_docs_.*", "mcp__docs__.*", "docs_.*"),
    "mcp__docs.*": ("mcp__docs.*", "docs.*-.*", "mcp_docs.*", "mcp__docs.*", "docs.*_.*"),
    "mcp__x.*evil": ("mcp__x.*evil", "x.*-.*evil", "mcp_x.*evil", "mcp__x.*evil", "x.*_.*evil"),
    "mcp__.*fetch.*": (
        "mcp__.*fetch.*",
        ".+-.*fetch.*",
        "mcp_.+_.*fetch.*",
        "mcp__.*fetch.*",
        ".+_.*fetch.*",
    ),
    "mcp__team-docs__get-.*": (
        "mcp__team_docs__get_.*",
        "team-docs-get-.*",
        "mcp_team-docs_get-.*",
        "mcp__team-docs__get-.*",
        "team-docs_get-.*",
    ),
    "(mcp__a|mcp__b)__get": ("(mcp__a|mcp__b)__get", "", "", "(mcp__a|mcp__b)__get", ""),
}
MESSAGE = "Call mcp__a-b__get-x or mcp__a-b__get, or mcp__p_1__find. As-is: mcp__, WebFetch"
MESSAGES = {
    "codex": "Call mcp__a_b__get_x or mcp__a_b__get, or mcp__p_1__find. As-is: mcp__, WebFetch",
    "copilot": "Call a-b-get-x or a-b-get, or p_1-find. As-is: mcp__, WebFetch",
    "gemini": "Call mcp_a-b_get-x or mcp_a-b_get, or mcp_p_1_find. As-is: mcp__, WebFetch",
    "qwen": MESSAGE,
    "opencode": "Call a-b_get-x or a-b_get, or p_1_find. As-is: mcp__, WebFetch",
}


@pytest.fixture(scope="module")
def routed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    routes = {
        f"route-{number}": {"tool": tool, "pattern": f"host-{number}", "message": MESSAGE}
        for number, tool in enumerate(TOOLS)
    }
    folder = tmp_path_factory.mktemp("routed") / "my-hooks"
    return render(template, folder, routes=routes, clients=[*OTHERS])


def read_routes(project: Path, client: str) -> dict[str, Any]:
    tables = read_tables(project / "clients" / client / "hooks" / "tool_routing.py")
    return {row["name"]: row for row in json.loads(tables["ROUTES"])}


@pytest.mark.parametrize("client", OTHERS)
def test_tools_are_translated(routed: Path, client: str) -> None:
    tools = {name: row["tool"] for name, row in read_routes(routed, client).items()}
    wanted = [names[OTHERS.index(client)] for names in TOOLS.values()]
    assert tools == {f"route-{number}": tool for number, tool in enumerate(wanted) if tool}


@pytest.mark.parametrize("client", OTHERS)
def test_messages_are_translated(routed: Path, client: str) -> None:
    messages = {row["message"] for row in read_routes(routed, client).values()}
    assert messages == {MESSAGES[client]}


@pytest.mark.parametrize("client", OTHERS)
def test_command_line_uses_the_tool_names_of_the_hooks(client: str) -> None:
    dialect, words = read_dialects()[client], MESSAGES[client].split()
    assert dialect.name_tool("mcp__a-b__get-x") == words[1]
    assert dialect.name_tool("mcp__a-b__get") == words[3].rstrip(",")
    assert dialect.read_tool(words[3].rstrip(","), ["b", "a-b"]) == "mcp__a-b__get"


def test_omissions_are_reported(routed: Path) -> None:
    readme = (routed / "README.md").read_text("utf-8")
    assert "it searches at its host; no route route-0, route-2, route-3, for it" in readme
    assert "**Copilot CLI**, in `clients/copilot/`: every hook; no route route-3, " in readme
