"""Clients get a settings entry that starts or reaches the server."""

import site
import sys
from pathlib import Path

import pytest

import hookwright_documentation
from hookwright_documentation.databases import FOLDER
from hookwright_documentation.serving.registration import build_http_entry, build_stdio_entry


def test_command_ignores_the_working_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert build_stdio_entry() == {
        "type": "stdio",
        "command": sys.executable,
        "args": ["-I", "-m", "hookwright", "docs-mcp"],
    }


def test_command_finds_user_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(hookwright_documentation.__file__).parent.parent
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(folder))
    entry = build_stdio_entry()
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).name == "hookwright"
    assert entry["args"] == ["docs-mcp"]


def test_relative_database_folder_is_made_absolute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FOLDER, "docs")
    assert build_stdio_entry()["env"] == {FOLDER: str(tmp_path / "docs")}


def test_resident_server_entry_contains_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "secret")
    address = {"type": "http", "url": "http://127.0.0.1:7731/mcp"}
    assert build_http_entry("http://127.0.0.1:7731/", token=False) == address
    assert build_http_entry("http://127.0.0.1:7731", token=True) == {
        **address,
        "headers": {"Authorization": "Bearer ${LESSON_SEARCH_TOKEN}"},
    }
