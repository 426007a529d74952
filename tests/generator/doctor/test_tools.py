"""doctor checks that tools, indexes and commands used by records exist, or lists alternatives."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookwright.doctor.finding import Finding, Setup, find_setup
from hookwright.doctor.project import check_commands, check_paths, check_patterns
from hookwright.doctor.tools import check_tools

from ...support.command_line import CommandLine
from ...support.project import GITLAB, PULL_REQUEST, ROOT

LEANN_SHAPED = ROOT / "tests" / "support" / "fake_leann.py"
SEARCH = "mcp__leann__leann_search"

Prepare = Callable[..., Setup]


@pytest.fixture
def prepare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    monkeypatch.chdir(tmp_path)

    def build(
        databases: list[dict[str, Any]] | None = None,
        routes: dict[str, Any] | None = None,
        **servers: Any,
    ) -> Setup:
        main = Path.home() / ".claude.json"
        main.write_text(json.dumps({"mcpServers": servers}))
        setup = find_setup(None)
        return Setup(**{**setup.__dict__, "databases": databases or [], "routes": routes or {}})

    return build


def build_database(tool: str, **arguments: Any) -> dict[str, Any]:
    return {**GITLAB, "mcp_tool_name": tool, "arguments": arguments}


def leann() -> dict[str, Any]:
    return {"type": "stdio", "command": sys.executable, "args": [str(LEANN_SHAPED)]}


def check(setup: Setup, *, starts: bool = True) -> list[Finding]:
    findings = check_tools(setup, 10, lambda _done, _total: None, starts=starts)
    return [finding for finding in findings if finding.check == "tools"]


@pytest.mark.parametrize(("tool", "told"), [("leann_search", True), ("Grep", False)])
def test_tool_without_a_server_is_reported(prepare: Prepare, tool: str, *, told: bool) -> None:
    lines = [finding.line for finding in check(prepare([build_database(tool)]))]
    assert [line.startswith(f"{tool} is not the full name") for line in lines] == [True] * told


@pytest.mark.parametrize(
    ("database", "status", "told"),
    [
        (build_database(SEARCH, index_name="gitlab", top_k=3), "ok", f"{SEARCH} exists"),
        (
            build_database("mcp__leann__search"),
            "fault",
            "mcp__leann__search does not exist: the server leann has leann_search, leann_list, ",
        ),
        (
            build_database(SEARCH, index="gitlab"),
            "fault",
            f"gitlab: {SEARCH} has no argument index (it takes index_name, query, top_k, ",
        ),
        (build_database(SEARCH), "fault", f"gitlab: {SEARCH} also needs the argument index_name"),
        (
            build_database("mcp__docs__find"),
            "fault",
            "the server docs is not configured: run claude mcp add docs --scope user -- COMMAND",
        ),
        (
            build_database("mcp__a; b__find"),
            "fault",
            "claude mcp add 'a; b' --scope user -- COMMAND",
        ),
        (build_database("mcp__plugin_a_b__find"), "warn", "comes from a plugin or your account"),
    ],
)
def test_database_tool_is_checked(
    prepare: Prepare, database: dict[str, Any], status: str, told: str
) -> None:
    (finding,) = check(prepare([database], leann=leann()))
    assert finding.status == status
    assert told in finding.line


def test_missing_server_is_reported_once(prepare: Prepare) -> None:
    setup = prepare([build_database("mcp__docs__find"), build_database("mcp__docs__list")])
    (finding,) = check_tools(setup, 10, lambda _done, _total: None)
    assert finding.line.startswith("mcp__docs__find: the server docs is not configured")


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ({"command": "/no/such"}, "does not start (/no/such: No such file"),
        (
            {"type": "http", "url": "http://127.0.0.1:9/mcp"},
            "/mcp: All connection attempts failed: run claude mcp get leann",
        ),
        (
            {"command": sys.executable, "args": ["-c", "import sys; sys.exit('no torch')"]},
            "exits before it answers; it says: no torch: run claude mcp get leann",
        ),
    ],
)
def test_failing_server_is_reported(prepare: Prepare, server: dict[str, Any], told: str) -> None:
    (finding,) = check(prepare([build_database(SEARCH, index_name="x")], leann=server))
    assert finding.status == "fault"
    assert told in finding.line


def test_nothing_is_started_by_default(prepare: Prepare, tmp_path: Path) -> None:
    touch = {"command": "/usr/bin/touch", "args": [str(tmp_path / "started")]}
    (finding,) = check(prepare([build_database(SEARCH)], leann=touch), starts=False)
    assert finding == Finding("tools", "ok", f"{SEARCH}: the server leann is configured")
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"leann": touch}}))
    (finding,) = check(prepare([build_database(SEARCH)]))
    assert finding.status == "warn"
    assert "you have not approved the server leann of" in finding.line
    assert not (tmp_path / "started").exists()


def test_tools_in_messages_are_checked(prepare: Prepare) -> None:
    message = "Call: mcp__leann__leann_list, not `mcp__leann__lists`."
    routes = {"r": {**PULL_REQUEST, "message": message}}
    findings = check(prepare(routes=routes, leann=leann()))
    assert [finding.status for finding in findings] == ["ok", "fault"]
    assert "mcp__leann__lists does not exist" in findings[1].line


@pytest.mark.parametrize(
    ("permissions", "status"),
    [
        ({}, "warn"),
        ({"allow": [SEARCH]}, "ok"),
        ({"allow": ["mcp__leann"]}, "ok"),
        ({"allow": ["mcp__leann__*"]}, "ok"),
        ({"allow": ["mcp__other", 1]}, "warn"),
        ({"allow": [SEARCH], "deny": ["mcp__leann"]}, "fault"),
        ({"allow": SEARCH}, "warn"),
        ({"allow": [SEARCH], "ask": ["mcp__leann"]}, "warn"),
    ],
)
def test_tool_permissions_are_checked(
    prepare: Prepare, permissions: dict[str, Any], status: str
) -> None:
    path = Path.home() / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"permissions": permissions}))
    setup = prepare([build_database(SEARCH)], leann=leann())
    *_, last = check_tools(setup, 1, lambda _done, _total: None, starts=False)
    assert (last.check, last.status) == ("permissions", status)


def test_missing_paths_are_reported(prepare: Prepare, tmp_path: Path) -> None:
    (Path.home() / "docs").mkdir()
    (tmp_path / "gone").symlink_to("nowhere")
    paths = ["~/docs", str(tmp_path), "/no/such", "gitlab", "https://docs.gitlab.com"]
    paths += [str(tmp_path / "gone"), "~no such user/docs"]
    setup = prepare([{**GITLAB, "path": path} for path in paths])
    assert [(path.status, path.line) for path in check_paths(setup)] == [
        ("ok", "gitlab: ~/docs exists"),
        ("ok", f"gitlab: {tmp_path} exists"),
        *(
            ("fault", f"gitlab: {path} does not exist: create it, or run hookwright edit gitlab")
            for path in (paths[2], *paths[5:])
        ),
    ]


@pytest.mark.parametrize("place", ["here", "base", "known", "path", "nowhere"])
def test_leann_index_is_checked(prepare: Prepare, tmp_path: Path, place: str) -> None:
    base = tmp_path if place == "here" else tmp_path / place
    index = base / ".leann" / "indexes" / "docs"
    index.mkdir(parents=True)
    if place != "nowhere":
        (index / "documents.leann.meta.json").write_text("{}")
    (Path.home() / ".leann").mkdir()
    (Path.home() / ".leann" / "projects.json").write_text(json.dumps([1, str(tmp_path / "known")]))
    server = leann()
    if place == "base":
        server["args"] += ["--base-dir", str(base)]
    name = str(index) if place == "path" else "docs"
    setup = prepare([{**build_database(SEARCH, index_name=name), "path": "docs"}], leann=server)
    (finding,) = check_paths(setup)
    assert finding.status == ("fault" if place == "nowhere" else "ok"), finding
    assert ("leann build docs" in finding.line) is (place == "nowhere")


@pytest.mark.parametrize("name", ["~no such user/docs", "x; rm -r ~", "../" * 2_000])
def test_index_may_have_any_name(prepare: Prepare, name: str) -> None:
    (finding,) = check_paths(prepare([{**build_database(SEARCH, index_name=name), "path": "docs"}]))
    assert finding.status == "fault"
    assert finding.line.endswith(f"leann build {shlex.quote(name)} --docs DIR")


def test_missing_commands_are_reported() -> None:
    routes = {name: {**PULL_REQUEST, "requires": command} for name, command in COMMANDS.items()}
    findings = list(check_commands(routes))
    assert [finding.status for finding in findings] == ["ok", "warn"]
    assert "no-such-command is missing, so the hook skips b, c" in findings[1].line


COMMANDS = {"a": "sh", "b": "no-such-command", "c": "no-such-command"}


def test_broken_pattern_is_reported(prepare: Prepare) -> None:
    routes = {"a": PULL_REQUEST, "b": {"pattern": "(", "message": "m"}}
    (finding,) = check_patterns(prepare(routes=routes))
    assert finding.status == "fault"
    assert finding.line.startswith("routes.b: pattern")
    (finding,) = check_patterns(prepare(routes={"a": PULL_REQUEST}))
    assert finding.status == "ok"


@pytest.mark.parametrize(("inside", "duration"), [(True, []), (False, ["--for", "1h"])])
def test_disabled_database_is_not_checked(
    hookwright_line: CommandLine, mine: Path, duration: list[str], *, inside: bool
) -> None:
    place = ("--project", mine)
    for name in ("gitlab", "kubernetes"):
        hookwright_line.output("disable", name, *duration, "--yes", "--no-commit", *place)
    findings = json.loads(
        hookwright_line.run("doctor", "--no-start", "--json", *(place if inside else ())).output
    )
    lines = [row["line"] for row in findings if row["check"] in {"tools", "paths"}]
    assert [line for line in lines if "leann" in line or "gitlab" in line] == []
