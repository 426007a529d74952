"""A damaged database is reported and rebuilt from its original source."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.build import build, find_old
from hookwright_documentation.databases import open_database
from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_database import StoppedHereError, find, find_recipe, is_built, refuse, run, stop
from ..support.acme_documentation import PREFIX, TOPICS, write_site


def test_damaged_database_is_rebuilt(built: tuple[Recipe, Path]) -> None:
    recipe, root = built
    folder = open_database("acme", root).folder
    (folder / "database.json").write_text("{")
    with pytest.raises(ReportedError, match="run hookwright refresh acme"):
        open_database("acme", root)
    assert find_recipe("acme", root) == recipe
    assert run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_damaged_pages_are_rebuilt(built: tuple[Recipe, Path]) -> None:
    recipe, root = built
    folder = open_database("acme", root).folder
    (folder / "pages").rename(folder / "gone")
    assert not is_built(recipe, root)
    assert run(recipe, root).is_new
    assert is_built(recipe, root)


def test_damaged_index_is_rebuilt(built: tuple[Recipe, Path]) -> None:
    recipe, root = built
    index = open_database("acme", root).index
    index.write_bytes(index.read_bytes()[:-5_000])
    assert not is_built(recipe, root)
    assert run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize("name", ["index.sqlite", "../current"])
def test_index_writable_by_others_is_rebuilt(built: tuple[Recipe, Path], name: str) -> None:
    recipe, root = built
    (open_database("acme", root).folder / name).chmod(0o622)
    assert not is_built(recipe, root)
    assert run(recipe, root).is_new
    assert is_built(recipe, root)


@pytest.mark.parametrize("reason", ["no pages", "loss", "stopped"])
def test_failed_change_keeps_the_recipe(
    built: tuple[Recipe, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    recipe, root = built
    topics = {} if reason == "no pages" else {"session": TOPICS["session"]}
    other = replace(recipe, source=str(write_site(tmp_path / "other", topics)), version="3")
    if reason == "stopped":
        monkeypatch.setattr("hookwright_documentation.build.swap", stop)
    with pytest.raises((ReportedError, StoppedHereError)):
        build(other, find_old("acme", root), print if reason == "stopped" else refuse, root)
    assert find_recipe("acme", root) == recipe
    (open_database("acme", root).folder / "database.json").write_text("{")
    assert find_recipe("acme", root) == recipe


def test_damaged_database_keeps_its_last_recipe(built: tuple[Recipe, Path], tmp_path: Path) -> None:
    recipe, root = built
    other = replace(recipe, source=str(write_site(tmp_path / "other")), version="3")
    (run(other, root).database.folder / "database.json").write_text("{")
    assert find_recipe("acme", root) == other


def test_imported_recipe_is_recovered(recipe: Recipe, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    imported = replace(
        recipe,
        version="2.0",
        keywords=("acme", "rocket"),
        description="Acme, which flies rockets",
        domains=("acme.example",),
        exclusions=("blog/",),
    )
    run(imported, root)
    (root / "acme" / "recipe.json").unlink()
    assert find_recipe("acme", root) == imported


@pytest.mark.parametrize(
    "odd",
    [
        {"name": "../acme"},
        {"name": "rocket"},
        {"pages": "4"},
        {"title": ["acme"]},
        {"crawled": None},
        {"options": []},
    ],
)
def test_unsupported_manifest_format_counts_as_damaged(
    built: tuple[Recipe, Path], odd: dict[str, Any]
) -> None:
    recipe, root = built
    path = open_database("acme", root).folder / "database.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | odd))
    with pytest.raises(ReportedError, match="run hookwright refresh acme"):
        open_database("acme", root)
    assert find_recipe("acme", root) == recipe


@pytest.mark.parametrize("options", [{}, {"keywords": 3, "max_pages": "x", "domains": "x"}])
def test_invalid_options_are_dropped(built: tuple[Recipe, Path], options: dict[str, Any]) -> None:
    recipe, root = built
    path = open_database("acme", root).folder / "database.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"options": options}))
    assert find_recipe("acme", root) == Recipe("acme", ("acme",), recipe.source, license="MIT")


@pytest.mark.parametrize(
    "odd", [{"name": "rocket"}, {"keywords": 3}, {"keywords": [3]}, {"max_pages": "4"}]
)
def test_unsupported_recipe_format_is_ignored(
    built: tuple[Recipe, Path], odd: dict[str, Any]
) -> None:
    _, root = built
    path = root / "acme" / "recipe.json"
    (open_database("acme", root).folder / "database.json").unlink()
    path.write_text(json.dumps(json.loads(path.read_text()) | odd))
    assert find_recipe("acme", root) is None
