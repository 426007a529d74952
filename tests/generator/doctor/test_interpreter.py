"""doctor checks the hooks' interpreter, but never runs an interpreter that a folder specifies."""

import json
import os
import sys
from pathlib import Path

import pytest

from hookwright.doctor.finding import find_setup
from hookwright.doctor.installation import check_interpreter
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.client_settings import change, settings, the

PYTHON = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")


def test_interpreter_is_shown_with_its_version(mine: Path) -> None:
    _, line = the(check_interpreter(find_setup(mine)))  # the status depends on measured times
    assert f" ({'.'.join(map(str, sys.version_info[:3]))}) starts in " in line


def name_interpreter(python: Path) -> None:
    command = json.loads(settings().read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    named = command.split(";")[0]
    settings().write_text(settings().read_text().replace(named, f"P={python}"))


@pytest.fixture
def shim(tmp_path: Path) -> Path:
    path = tmp_path / ".pyenv" / "shims" / "python3"
    path.parent.mkdir(parents=True)
    path.write_text(f'#!/bin/sh\nexec "{PYTHON}" "$@"\n')
    path.chmod(0o755)
    return path


def test_shim_interpreter_is_reported(mine: Path, shim: Path) -> None:
    name_interpreter(shim)
    status, line = the(check_interpreter(find_setup(mine)))
    assert status == "warn"
    assert "it is slow (a shim of pyenv): run install.py with " in line
    assert line.count(" ms") == 2


def test_shim_is_accepted_where_no_interpreter_is_named(
    mine: Path, shim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not run_own_installer(open_project(mine), "--scope", "project").faults
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    *_, found = check_interpreter(find_setup(mine))
    assert (found.status, f"{shim} (" in found.line) == ("ok", True)


def test_missing_interpreter_is_reported(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_interpreter(tmp_path / "gone")
    status, line = the(check_interpreter(find_setup(mine)))
    assert (status, line.endswith("does not exist: run hookwright install")) == ("warn", True)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert the(check_interpreter(find_setup(mine)))[0] == "fault"


def test_interpreter_from_folder_settings_is_not_run(mine: Path, tmp_path: Path) -> None:
    assert not run_own_installer(open_project(mine), "--scope", "local").faults
    evil = tmp_path / "python3"
    evil.write_text(f"#!/bin/sh\ntouch '{tmp_path}/run'\n")
    evil.chmod(0o755)
    local = Path.cwd() / ".claude" / "settings.local.json"
    text = local.read_text()
    begin = text.index("P=")
    local.write_text(text.replace(text[begin : text.index(";", begin)], f"P={evil}"))
    findings = list(check_interpreter(find_setup(mine)))
    assert f"did not run {evil}" in findings[-1].line
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("word", ["x\\", "a\0b"])
def test_interpreter_from_hostile_settings_is_not_run(mine: Path, word: str) -> None:
    script = '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/PreToolUse/docsearch.py"'
    command = f'P={word}; [ -x "$P" ] || P=python3; S={script}; [ ! -f "$S" ] || exec "$P" "$S"'
    entry = {"matcher": "WebSearch", "hooks": [{"type": "command", "command": command}]}
    change(Path.cwd() / ".claude" / "settings.json", hooks={"PreToolUse": [entry]})
    assert [finding.check for finding in check_interpreter(find_setup(mine))]
    assert run_own_installer(open_project(mine), "--check", "--scope", "project").faults
