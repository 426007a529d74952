"""Fixtures for the template tests."""

from pathlib import Path

import pytest

from hookwright_documentation.databases import CURRENT, INDEX_FILE
from hookwright_documentation.index import build_index

from ..documentation.index.passages import COOKING
from ..support.client_installer import OTHERS, render_for


@pytest.fixture(scope="session")
def rendered(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rendered")
    return render_for(template, folder / "my-hooks", "claude", *OTHERS)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the database folder, which contains the database for INDEXED."""
    folder = tmp_path / "docs" / "acme"
    (folder / "1").mkdir(parents=True)
    (folder / CURRENT).write_text("1\n")
    about = {"name": "acme", "version": "1.2", "heading": "Acme 1.2 documentation"}
    build_index(COOKING, [], folder / "1" / INDEX_FILE, about)
    for path in (folder / CURRENT, folder / "1" / INDEX_FILE):
        path.chmod(0o600)
    monkeypatch.setenv("HOOKWRIGHT_DOCS", str(tmp_path / "docs"))
    return tmp_path / "docs"
