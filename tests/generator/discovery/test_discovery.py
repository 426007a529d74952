"""A machine's indexes, settings and tools are discovered without changing them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.answers.validation import check_record
from hookwright.clients.claude.mcp_servers import McpServer
from hookwright.discovery.record_files import correct_tool, find_old_files, find_ready_routes
from hookwright.discovery.search_tools import find_indexes, list_search_tools
from hookwright.template.store import find_template

from ...support.hypothesis_profiles import examples
from ...support.installer import snapshot
from ...support.project import GITLAB, PULL_REQUEST, ROOT

META = "documents.leann.meta.json"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def check(question: str, record: Any, key: str | int) -> str:
    return check_record(find_template(), question, record, key)


def add_index(project: Path, name: str) -> Path:
    folder = project / ".leann" / "indexes" / name
    folder.mkdir(parents=True)
    (folder / META).write_text("{}")
    return folder


def list_projects(*projects: object) -> None:
    path = Path.home() / ".leann" / "projects.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        json.dumps([str(project) if isinstance(project, Path) else project for project in projects])
    )


def test_indexes_of_all_projects_are_found(tmp_path: Path) -> None:
    current, other = tmp_path / "here", tmp_path / "there"
    first, second = add_index(current, "gitlab-docs"), add_index(other, "k8s")
    (other / ".leann" / "indexes" / "ghost").mkdir()  # LEANN leaves empty folders like this behind
    list_projects(other, current, other, tmp_path / "gone", 5, None, "\0")
    indexes = find_indexes(current, "mcp__x__y")
    assert [(record["path"], record["arguments"]) for record in indexes] == [
        (str(first), {"index_name": "gitlab-docs"}),
        (str(second), {"index_name": "k8s"}),
    ]
    assert indexes[0]["keywords"] == ["gitlab"]
    assert indexes[0]["description"] == "the gitlab documentation"
    assert indexes[0]["mcp_tool_name"] == "mcp__x__y"


def test_indexes_with_equal_names_are_distinguished(tmp_path: Path) -> None:
    paths = [add_index(tmp_path / name, "docs") for name in ("a", "b")]
    list_projects(tmp_path / "a", tmp_path / "b")
    indexes = find_indexes(tmp_path, "t")
    assert [record["arguments"]["index_name"] for record in indexes] == list(map(str, paths))
    assert indexes[0]["keywords"] == ["docs"]


def test_unprintable_names_are_skipped(tmp_path: Path) -> None:
    add_index(tmp_path, "a\x1b[2J")
    add_index(tmp_path, " b")
    assert find_indexes(tmp_path, "t") == []


@pytest.mark.parametrize(
    "text", ["", "{", "5", '{"a": 5}', "[" * 100_000, '"\\ud800"', '["/\\ud800"]']
)
def test_malformed_project_list_is_ignored(tmp_path: Path, text: str) -> None:
    list_projects()
    (Path.home() / ".leann" / "projects.json").write_text(text)
    add_index(tmp_path, "docs")
    assert [record["keywords"] for record in find_indexes(tmp_path, "t")] == [["docs"]]


def test_old_files_are_found_in_their_former_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    (config / "hooks").mkdir(parents=True)
    (config / "hooks" / "docsearch-config.json").write_text(json.dumps({"databases": [GITLAB]}))
    (tmp_path / "tool-routes.json").write_text(json.dumps({"routes": {"pr": PULL_REQUEST}}))
    files = find_old_files([tmp_path, tmp_path], check)
    assert [(file.path.name, file.databases, file.routes) for file in files] == [
        ("tool-routes.json", [], {"pr": PULL_REQUEST}),
        ("docsearch-config.json", [GITLAB], {}),
    ]


def test_example_files_are_read_completely() -> None:
    databases, routes = find_old_files([ROOT / "examples"], check)
    assert [database["keywords"][0] for database in databases.databases] == ["gitlab", "kubernetes"]
    assert list(routes.routes) == ["github-pr", "linear"]
    assert not databases.complaints + routes.complaints


@settings(max_examples=examples(60))
@given(databases=JSON, routes=JSON)
def test_malformed_old_files_are_treated_as_data(
    tmp_path: Path, databases: object, routes: object
) -> None:
    (tmp_path / "docsearch-config.json").write_text(json.dumps({"databases": databases}))
    (tmp_path / "tool-routes.json").write_text(json.dumps({"routes": routes}))
    before = snapshot(tmp_path)
    for file in find_old_files([tmp_path], check):
        assert not any(check("databases", record, "") for record in file.databases)
        assert not any(check("routes", record, name) for name, record in file.routes.items())
        assert all(complaint.isprintable() for complaint in file.complaints)
    assert snapshot(tmp_path) == before


def test_wrong_tool_is_corrected() -> None:
    corrected = correct_tool({**GITLAB, "arguments": {"top_k": 5}})
    assert corrected["mcp_tool_name"] == "mcp__leann__leann_search"
    assert corrected["arguments"] == {"index_name": "gitlab", "top_k": 5}
    assert correct_tool(corrected) == corrected


def test_ready_routes_match_the_examples() -> None:
    ready = {route.name: route for route in find_ready_routes()}
    assert set(ready) == {path.stem for path in (ROOT / "examples" / "routes").glob("*.yml")}
    assert ready["github"].about == "GitHub through its command line tool"
    assert "github-pull-request" in ready["github"].routes
    assert all(index.about.isprintable() for index in ready.values())


def test_search_tools_of_known_servers_are_listed() -> None:
    servers = [
        McpServer("mine", "user", Path("x"), command="/opt/bin/leann_mcp"),
        McpServer("docs", "user", Path("x"), command="npx", args=("-y", "docs-mcp-server")),
        McpServer("context7", "user", Path("x"), url="https://example.invalid/mcp"),
        McpServer("other", "user", Path("x"), command="other"),
    ]
    assert list(list_search_tools(servers)) == [
        "mcp__mine__leann_search",
        "mcp__docs__search_docs",
        "mcp__context7__query-docs",
    ]
