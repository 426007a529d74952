"""Databases for the tests of the server: fakes, as only what is served is tested here."""

import sys
from pathlib import Path

import pytest

from hookwright_documentation.databases import FOLDER
from hookwright_documentation.serving.open_databases import OpenDatabases

from ...support.fake_documentation import FakeIndex, build_fakes, write_database


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of all databases, which has none yet."""
    for name, fake in build_fakes().items():
        monkeypatch.setitem(sys.modules, name, fake)
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    monkeypatch.setattr(FakeIndex, "opened", [])
    return tmp_path / "docs"


@pytest.fixture
def flask(root: Path) -> Path:
    """Return the generation of a database of two pages."""
    return write_database(root)


@pytest.fixture
def databases(root: Path) -> OpenDatabases:
    """Return what searches and reads the databases."""
    return OpenDatabases(root)
