"""A database of an earlier version, which has another index, answers, and is indexed again."""

import shutil
import stat
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import open_database
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.serving.open_databases import OpenDatabases

from ..support.acme_database import find, is_built, run
from ..support.acme_documentation import PREFIX


@pytest.fixture
def earlier(recipe: Recipe, tmp_path: Path) -> tuple[Recipe, Path]:
    database = run(recipe, tmp_path / "docs").database
    database.index.unlink()
    (database.folder / "index").mkdir()
    (database.folder / "index" / "index.json").write_text("{}")
    return recipe, tmp_path / "docs"


def test_search_indexes_the_pages(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    (hit, *_) = OpenDatabases(root).search("acme", "signed cookies", 5)
    assert hit.url == f"{PREFIX}session.html"
    assert is_built(recipe, root)
    assert stat.S_IMODE(open_database("acme", root).folder.stat().st_mode) == 0o700


def test_setup_indexes_the_pages_without_a_fetch(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    shutil.rmtree(recipe.source)
    assert is_built(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_refresh_indexes_the_pages_though_the_site_is_away(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    shutil.rmtree(recipe.source)
    with pytest.raises(ReportedError):
        run(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_refresh_keeps_the_generation_of_a_site_that_stayed(earlier: tuple[Recipe, Path]) -> None:
    recipe, root = earlier
    assert not run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_pages_that_cannot_be_indexed_cost_a_line(earlier: tuple[Recipe, Path]) -> None:
    _, root = earlier
    shutil.rmtree(open_database("acme", root).pages)
    with pytest.raises(ReportedError, match=r"^acme: the pages .*: run hookwright refresh acme$"):
        OpenDatabases(root).search("acme", "signed cookies", 5)
