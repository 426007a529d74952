"""Databases for the server tests: real pages with a fake index."""

import sys
from pathlib import Path

import pytest

from hookwright_documentation.databases import FOLDER

from ...support.fake_documentation import INDEX, build_fake, write_database


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(sys.modules, INDEX, build_fake())
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    return tmp_path / "docs"


@pytest.fixture
def flask(root: Path) -> Path:
    return write_database(root)
