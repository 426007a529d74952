"""A removal deletes only the database, not the user's own files."""

import shutil
from pathlib import Path

import pytest

from hookwright.documentation.database_records import (
    find_users,
    forget_servers,
    is_there,
    remove_whole,
)
from hookwright.documentation.registration import LEANN_NAME, OUR_TOOLS, SEARCH, Server, register
from hookwright.installer import client
from hookwright.project.installer import find_bases
from hookwright_documentation.databases import FOLDER, find_database_folder, find_root
from hookwright_documentation.leann import LINK

from ...support.fake_documentation import write_database
from ...support.project import render

SEARCHING = ("claude", "copilot", "gemini", "opencode")  # clients whose hooks receive searches
TEAM = Server("team-docs", {"type": "http", "url": "https://team.example/mcp"}, OUR_TOOLS)
OTHER = Server("team", TEAM.entry, OUR_TOOLS)


@pytest.fixture(scope="module")
def searching(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = [
        ("flask", SEARCH, {"database": "flask"}),
        ("acme", "mcp__team-docs__search_docs", {"database": "acme"}),
        ("numpy", f"mcp__{LEANN_NAME}__leann_search", {"index_name": "PATH"}),
    ]
    databases = [
        {
            "keywords": [name],
            "path": f"/PLACE/{name}",
            "mcp_tool_name": tool,
            "arguments": arguments,
            "description": name,
        }
        for name, tool, arguments in records
    ]
    folder = tmp_path_factory.mktemp("searching") / "my-hooks"
    return render(template, folder, databases=databases, clients=[*SEARCHING])


def install(project: Path, name: str) -> None:
    hooks = client.CLIENTS[name].locate_hooks(project)
    path = find_bases()[name] / "hooks" / "PreToolUse" / "docsearch-my-hooks.py"
    path.parent.mkdir(parents=True)
    shutil.copy(hooks / "docsearch.py", path)
    text = path.read_text().replace("PATH", str(find_database_folder("numpy").absolute() / LINK))
    path.write_text(text.replace("/PLACE", str(find_root().absolute())))


@pytest.mark.parametrize("name", SEARCHING)
def test_database_used_by_any_client_is_in_use(searching: Path, name: str) -> None:
    install(searching, name)
    assert find_users("flask") == ["my-hooks"]
    assert find_users("numpy") == ["my-hooks"]
    assert find_users("acme") == []
    assert find_users("flask", but="my-hooks") == []


@pytest.mark.parametrize("name", SEARCHING)
def test_server_used_by_any_client_is_in_use(searching: Path, name: str) -> None:
    install(searching, name)
    register(TEAM)
    register(OTHER)
    assert forget_servers("another", []) == ["team"]
    assert forget_servers("my-hooks", []) == ["team-docs"]


def test_only_the_server_of_another_client_is_removed() -> None:
    register(TEAM, client.CLIENTS["gemini"])
    assert forget_servers("my-hooks", []) == ["team-docs"]
    assert not (Path.home() / ".gemini" / "settings.json").exists()


def test_user_folder_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    write_database(tmp_path / "docs")
    remove_whole("flask")
    assert list((tmp_path / "docs").iterdir()) == []


def test_own_folder_is_removed() -> None:
    write_database(find_root())
    remove_whole("flask")
    assert not find_root().exists()


def test_unrelated_folders_are_not_databases() -> None:
    (find_root() / "notes" / "work").mkdir(parents=True)
    assert not is_there("notes")
