"""The scopes in which a project is installed are found, regardless of other content."""

import json
import os
from pathlib import Path

import pytest

from hookwright.clients.claude.settings import find_config_folder
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, open_project
from hookwright_console.errors import RefusedError

SETTINGS = [".claude/settings.json", ".claude/settings.local.json"]


def test_pipe_does_not_block(project: Path) -> None:
    config = Path.home() / ".claude"
    hooks = config / "hooks" / "PreToolUse"
    hooks.mkdir(parents=True)
    script = hooks / "docsearch-my-hooks.py"
    script.write_bytes((project / "hooks" / "docsearch.py").read_bytes())
    os.mkfifo(hooks / "mine.py")
    (config / "settings.json").write_text(json.dumps({"x": f"/hooks/PreToolUse/{script.name}"}))
    assert find_scopes(open_project(project)) == ["user"]
    (config / "settings.json").unlink()
    (config / "settings.json").mkdir()
    assert find_scopes(open_project(project)) == []


def install_everywhere(folder: Path) -> Project:
    project = open_project(folder)
    for scope in ("user", "project", "local"):
        assert not run_own_installer(project, "--scope", scope).faults
    return project


@pytest.mark.parametrize("kind", ["both", "lessons_http"])
def test_every_scope_is_found(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project = install_everywhere(request.getfixturevalue(kind))
    for path in (Path.home() / SETTINGS[0], *map(Path, SETTINGS)):
        path.write_text(path.read_text() + ",")
    assert find_scopes(project) == ["user", "project", "local"]


def test_settings_in_the_home_folder_are_user_settings(
    both: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path.home())
    assert find_scopes(install_everywhere(both)) == ["user", "local"]


def test_folder_matches_the_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "here")
    with pytest.raises(RefusedError) as refused:
        find_config_folder()
    assert str(refused.value) == (
        "CLAUDE_CONFIG_DIR is a relative path, here: set it to an absolute one"
    )


def test_relative_home_is_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", "rel")
    with pytest.raises(RefusedError, match="HOME is a relative path, rel: set"):
        find_config_folder()
