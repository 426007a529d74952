"""Fixtures for the doctor tests."""

import shutil
from pathlib import Path

import pytest

from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "session").mkdir()
    monkeypatch.chdir(tmp_path / "session")


@pytest.fixture
def mine(both: Path, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(both, tmp_path / "my-hooks"))
    assert not run_own_installer(open_project(folder)).faults
    return folder
