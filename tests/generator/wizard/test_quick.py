"""The quick wizard creates a project from findings on this machine, with three questions."""

import io
import json
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from hookwright.clients.claude.mcp_servers import McpServer
from hookwright.wizard.findings import find_candidates
from hookwright.wizard.form import Form
from hookwright.wizard.project import ask_quickly
from hookwright_documentation.databases import find_root

from ...support.command_line import CommandLine
from ...support.fake_documentation import write_database
from ...support.rendered_project import read_answers

pytestmark = pytest.mark.usefixtures("kept_template")  # faster to copy than to build

Quick = Callable[..., dict[str, Any]]
TOOLS = {"gh", "glab", "npm"}
LINEAR = McpServer("linear", "user", Path("config"), url="https://mcp.linear.app/mcp")
OLD = {
    "keywords": ["helm"],
    "path": "/docs/helm",
    "mcp_tool_name": "mcp__leann__search",
    "description": "Helm documentation",
}


@pytest.fixture
def quick(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Quick:
    """Return a function that answers the three questions and returns the resulting answers.

    Only commands in the folder `bin` count as installed for the ready-made routes.
    """

    def quick(
        *lines: str, server: McpServer | None = None, used: Collection[str] = ()
    ) -> dict[str, Any]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        servers = {server.name: server} if server else {}
        form = Form(template, servers)
        monkeypatch.chdir(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr("shutil.which", find_command)
            found = find_candidates(form, tmp_path)
            unused = [name for name in found.unused if name not in used]
            return ask_quickly(form, tmp_path / "My Hooks", replace(found, unused=unused))

    def find_command(name: str, **_: Any) -> str | None:
        path = tmp_path / "bin" / name
        return str(path) if path.exists() else which(name) if name not in TOOLS else None

    return quick


def add_index(folder: Path, name: str) -> str:
    index = folder / ".leann" / "indexes" / name
    index.mkdir(parents=True)
    (index / "documents.leann.meta.json").write_text("{}")
    return str(index)


def test_found_indexes_become_databases(quick: Quick, tmp_path: Path) -> None:
    path = add_index(tmp_path, "kubernetes-docs")
    add_index(tmp_path, "go")
    answers = quick("", "", "-")
    assert (answers["project_name"], answers["hooks"]) == ("my-hooks", ["docsearch"])
    assert answers["mcp_servers"] == {"leann": {"command": "leann_mcp"}}
    go, kubernetes = answers["databases"]
    assert go["keywords"] == ["go"]
    assert kubernetes == {
        "keywords": ["kubernetes"],
        "path": path,
        "mcp_tool_name": "mcp__leann__leann_search",
        "arguments": {"index_name": "kubernetes-docs"},
        "description": "the kubernetes documentation",
    }


@pytest.mark.parametrize("used", [True, False])
def test_databases_from_setup_are_offered(quick: Quick, *, used: bool) -> None:
    write_database(find_root(), "flask")
    write_database(find_root(), "click", engine="leann")
    answers = quick("", "", "-", used=["flask"] if used else [])
    if used:
        assert answers["hooks"] == []
        answers = quick("", "1", "-", used=["flask"])
    (flask,) = answers["databases"]
    assert flask["arguments"] == {"database": "flask"}
    assert answers["mcp_servers"] == {}


def test_records_from_an_earlier_hook_are_offered(quick: Quick, tmp_path: Path) -> None:
    sound = {"pattern": "gist[.]github[.]com/", "message": "Ask gh."}
    routes = {"gist": sound, "bad": {"pattern": "(", "message": "x"}}
    (tmp_path / "docsearch-config.json").write_text(json.dumps({"databases": [OLD]}))
    (tmp_path / "tool-routes.json").write_text(json.dumps({"routes": routes}))
    answers = quick("ours", "", "")
    assert answers["databases"] == [OLD]
    assert answers["routes"] == {"gist": sound}
    assert answers["hooks"] == ["docsearch", "tool_routing"]


def test_ready_routes_for_installed_tools_are_the_default(quick: Quick, tmp_path: Path) -> None:
    assert quick("", "")["hooks"] == []
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").touch(mode=0o755)
    answers = quick("", "", server=LINEAR)
    assert answers["hooks"] == ["tool_routing"]
    assert {"github-pull-request", "linear-issue"} <= answers["routes"].keys()
    assert not {"gitlab-merge-request", "jira-issue"} & answers["routes"].keys()


@pytest.mark.parametrize("setting", ["", "registry=https://acme.jfrog.io/artifactory/api/npm/own/"])
def test_ready_registry_routes_need_a_private_registry(
    quick: Quick, tmp_path: Path, setting: str
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "npm").touch(mode=0o755)
    (tmp_path / ".npmrc").write_text(setting)
    assert bool(quick("", "")["hooks"]) is bool(setting)


def test_empty_selection_creates_no_project(quick: Quick, tmp_path: Path) -> None:
    add_index(tmp_path, "go")
    answers = quick("", "-", "-")
    assert (answers["hooks"], answers["project_name"]) == ([], "my-hooks")


def test_project_is_created_quickly(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookwright.cli.new.can_ask", lambda: True)
    add_index(hookwright_line.folder, "terraform")
    words = ("new", "ours", "--quick", "--no-install", "--no-commit")
    output = hookwright_line.output(*words, given=b"\n\n2\n\n")
    assert "LEANN has terraform\n" in output
    assert "1 database: terraform\n" in output
    assert "How do you want to start?" not in output
    answers = read_answers(hookwright_line.folder / "ours")
    assert answers["hooks"] == ["docsearch", "tool_routing"]
    assert "github-pull-request" in answers["routes"]


def test_name_is_asked_once(hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookwright.cli.new.can_ask", lambda: True)
    words = ("new", "ours", "--quick", "--no-install", "--no-commit")
    output = hookwright_line.output(*words, given=b"mine\n-\n3\n\n\n\n")
    assert output.count("What is the project called?") == 1
    answers = read_answers(hookwright_line.folder / "ours")
    assert (answers["project_name"], answers["hooks"]) == ("mine", ["lesson_search"])
