"""A database whose index has an earlier format still answers and is reindexed."""

import shutil
import stat
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import FOLDER, open_database
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.serving.lookup import search

from ..support.acme_database import find, is_built, run
from ..support.acme_documentation import PREFIX


@pytest.fixture
def earlier(recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Recipe, Path]:
    monkeypatch.setenv(FOLDER, str(tmp_path / "docs"))
    database = run(recipe, tmp_path / "docs").database
    database.index.unlink()
    (database.folder / "index").mkdir()
    (database.folder / "index" / "index.json").write_text("{}")
    return recipe, tmp_path / "docs"


def test_search_indexes_the_pages(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    _, (hit, *_) = search("acme", "signed cookies", 5)
    assert hit.url == f"{PREFIX}session.html"
    assert is_built(recipe, root)
    assert stat.S_IMODE(open_database("acme", root).folder.stat().st_mode) == 0o700


def test_setup_indexes_the_pages_without_fetching(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    shutil.rmtree(recipe.source)
    assert is_built(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_refresh_indexes_the_pages_of_an_unreachable_site(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    shutil.rmtree(recipe.source)
    with pytest.raises(ReportedError):
        run(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_refresh_of_an_unchanged_site_keeps_the_generation(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    assert not run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_unindexable_pages_are_reported_in_one_line(earlier: tuple[Recipe, Path]) -> None:
    _, root = earlier
    shutil.rmtree(open_database("acme", root).pages)
    with pytest.raises(ReportedError, match=r"^acme: the pages .*: run hookwright refresh acme$"):
        search("acme", "signed cookies", 5)
