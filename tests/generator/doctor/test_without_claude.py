"""doctor checks the clients that have the hooks, and Claude Code only if it is one of them."""

import json
from pathlib import Path

import pytest

from hookwright.cli.doctor import run_checks
from hookwright.doctor.clients import check_other_servers
from hookwright.doctor.finding import Finding, find_setup
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.client_installer import render_for


@pytest.fixture(autouse=True)
def _no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def gemini(template: Path, tmp_path: Path) -> Path:
    project = render_for(template, tmp_path / "my-hooks", "gemini")
    assert not run_own_installer(open_project(project), "--client", "gemini").faults
    return project


def check(project: Path | None) -> list[Finding]:
    return [*run_checks(find_setup(project), "", 1, lambda *_: None, starts=False)]


def select(findings: list[Finding], name: str) -> list[tuple[str, str]]:
    return [(finding.status, finding.line) for finding in findings if finding.check == name]


def test_project_without_claude_is_checked(gemini: Path) -> None:
    findings = check(gemini)
    assert not {"installed", "client", "settings", "tools", "permissions"} & {
        finding.check for finding in findings
    }
    assert ("ok", "up to date in the user settings of Gemini CLI") in select(findings, "gemini")
    assert "claude" not in " ".join(finding.line for finding in findings).casefold()


def test_records_for_other_clients_are_checked_outside_a_project(gemini: Path) -> None:
    inside, outside = check(gemini), check(None)
    for name in ("paths", "patterns", "commands", "lessons"):
        assert select(outside, name) == select(inside, name)
    assert select(outside, "paths")
    assert select(outside, "patterns")
    assert select(outside, "lessons")
    assert not select(outside, "installed")


def test_servers_of_other_clients_are_checked(gemini: Path) -> None:
    setup = find_setup(gemini)
    faults = {server.line: server.status for server in check_other_servers(setup)}
    settings = Path.home() / ".gemini" / "settings.json"
    lacking = "mcp_leann_search: the server leann is not configured in Gemini CLI: add it to "
    assert faults[f"{lacking}{settings}"] == "fault"
    held = json.loads(settings.read_text())
    held["mcpServers"] = {"leann": {"command": "leann_mcp"}}
    settings.write_text(json.dumps(held))
    servers = [server for server in check_other_servers(setup) if "leann" in server.line]
    expected = Finding("gemini", "ok", "mcp_leann_search: the server leann is configured")
    assert servers == [expected]
    settings.write_text('{"mcpServers": []}')
    assert [server.status for server in check_other_servers(setup)] == ["fault"]
