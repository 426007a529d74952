"""Clients get an entry by which they reach the server."""

import site
import sys
from pathlib import Path

import pytest

import hookwright_documentation
from hookwright_documentation.databases import FOLDER
from hookwright_documentation.serving.registration import build_http_entry, build_stdio_entry


def test_command_is_isolated_from_the_folder_of_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert build_stdio_entry() == {
        "type": "stdio",
        "command": sys.executable,
        "args": ["-I", "-m", "hookwright", "docs-mcp"],
    }


def test_command_finds_packages_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(hookwright_documentation.__file__).parent.parent
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(folder))
    entry = build_stdio_entry()
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).name == "hookwright"
    assert entry["args"] == ["docs-mcp"]


def test_folder_of_databases_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FOLDER, "docs")
    assert build_stdio_entry()["env"] == {FOLDER: str(tmp_path / "docs")}


def test_entry_of_the_resident_server_names_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "secret")
    address = {"type": "http", "url": "http://127.0.0.1:7731/mcp"}
    assert build_http_entry("http://127.0.0.1:7731/", token=False) == address
    assert build_http_entry("http://127.0.0.1:7731", token=True) == {
        **address,
        "headers": {"Authorization": "Bearer ${LESSON_SEARCH_TOKEN}"},
    }
