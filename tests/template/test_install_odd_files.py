"""Unusual foreign files and folders are kept, and stop neither installations nor checks."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.installer import Installer, check_by_hookwright, run_here, snapshot
from ..support.interrupted_install import survey


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def fill(path: Path) -> None:
    path.touch()
    os.truncate(path, 6_000_000_000_000)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (link_to_itself, "which"),
        (fill, "is slow (a shim)"),
        (Path.mkdir, "is gone"),
        (str, "is gone"),
    ],
)
def test_invalid_interpreter_is_reported(
    install: Installer, tmp_path: Path, make: Callable[[Path], object], complaint: str
) -> None:
    make(tmp_path / "odd")
    check_with_interpreter(install, str(tmp_path / "odd"), complaint)


@pytest.mark.parametrize("python", ["'/x\ud800'", "/" + "a" * 5000])
def test_impossible_interpreter_is_reported(install: Installer, python: str) -> None:
    check_with_interpreter(install, python, "")


def check_with_interpreter(install: Installer, python: str, complaint: str) -> None:
    run_here(install, "--scope", "local")
    path = install.settings_of("local")
    settings = json.loads(path.read_text())
    for [entry] in settings["hooks"].values():
        [handler] = entry["hooks"]
        handler["command"] = f"P={python}; " + handler["command"].partition("; ")[2]
    path.write_text(json.dumps(settings))
    [fault] = check_by_hookwright(install, "local")
    assert complaint in fault


@pytest.mark.parametrize("text", ["{}", None])
def test_conflicting_user_backup_is_kept(install: Installer, text: str | None) -> None:
    backup = install.settings.with_name("settings.json.before-hookwright")
    backup.write_text('{"mine": 1}')
    if text:
        install.settings.write_text(text)
    before = snapshot(install.config)
    assert run_here(install).returncode == 0
    assert run_here(install, "--uninstall").returncode == 0
    before[f"{backup.name}.former"] = before.pop(backup.name)
    assert snapshot(install.config) == before


def test_foreign_folders_are_skipped(install: Installer, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = install.config / "hooks"
    (hooks / "private").mkdir(parents=True)
    (hooks / "loop").symlink_to(hooks / "loop")
    before = survey(install.config)
    listed = Path.iterdir

    def refuse(path: Path) -> object:
        if path.parent == hooks and path.name == "private":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    for arguments in ([], ["--check"], ["--uninstall"]):
        completed = run_here(install, *arguments)
        assert (completed.returncode, completed.stderr) == (0, "")
    assert survey(install.config) == before


def test_control_characters_in_a_folder_are_escaped(install: Installer, tmp_path: Path) -> None:
    run_here(install)
    install.record.write_text(json.dumps({"folder": f"{tmp_path}/a\n\x1b[2J"}))
    lines = [*run_here(install, "--check").stdout.splitlines()]
    lines += run_here(install).stdout.splitlines()
    named = [line for line in lines if " was moved here from " in line]
    assert len(named) == 2
    assert all(f"{tmp_path}/a\\n\\x1b[2J" in line and line.isprintable() for line in named)
