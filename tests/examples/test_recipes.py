"""The built-in recipes are valid, do not conflict, and route searches to the right databases."""

import re
import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hookwright.cli.share.check import list_file_faults
from hookwright.discovery.ambiguous_keywords import write_sample
from hookwright.documentation.database_records import build_record
from hookwright_documentation.recipes.recipe import load_ready_recipes

from ..support.project import ROOT, render

FILES = sorted((ROOT / "recipes").glob("*.yml"))
RECIPES = load_ready_recipes()


def test_recipes_are_valid() -> None:
    assert {path.name: faults for path in FILES if (faults := list_file_faults(path))} == {}


def test_there_are_many_recipes() -> None:
    assert len(RECIPES) == len(FILES) >= 80


@pytest.mark.parametrize("page", ["README.md", "docs/documentation.md"])
def test_pages_state_the_number_of_recipes(page: str) -> None:
    (count,) = re.findall(r"Over (\d+) technologies", (ROOT / page).read_text("utf-8"))
    assert int(count) < len(FILES) < int(count) + 100


@pytest.mark.parametrize("page", ["README.md", "docs/documentation.md"])
def test_pages_state_the_number_of_tested_recipes(page: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").split())
    copies = sum(recipe.tested_copy is not None for recipe in RECIPES)
    assert f"{copies} of the recipes were tested on a copy" in text
    assert not any(recipe.verified for recipe in RECIPES)  # otherwise, pages must state how many


def test_recipes_share_no_keyword() -> None:
    words = Counter(keyword for recipe in RECIPES for keyword in recipe.keywords)
    packages = Counter(
        (origin, package.casefold())
        for recipe in RECIPES
        for origin, names in recipe.packages.items()
        for package in names
    )
    assert [word for word, number in (words | packages).items() if number > 1] == []
    assert not {recipe.name for recipe in RECIPES} & {
        keyword for recipe in RECIPES for keyword in recipe.keywords if keyword != recipe.name
    }


@pytest.mark.long
def test_recipes_do_not_conflict(template: Path, tmp_path: Path) -> None:
    recipes = [recipe.build_recipe() for recipe in RECIPES]
    databases: list[dict[str, Any]] = [
        build_record(recipe, recipe.prefix, "") for recipe in recipes
    ]
    project = render(template, tmp_path / "project", databases=databases)
    hook = runpy.run_path(str(project / "hooks" / "docsearch.py"))
    for number, database in enumerate(databases):
        for keyword in database["keywords"]:
            query = write_sample({**database, "keywords": [keyword]})
            assert number in {match[0] for match in hook["match_keywords"](query, [])}, query


@pytest.mark.parametrize("version", ["4.2.1", "20"])
def test_versions_stay_on_the_same_site(version: str) -> None:
    for ready in RECIPES:
        recipe = ready.build_recipe(version)
        host = recipe.source.split("/")[2]
        assert any(f".{host}".endswith(f".{domain}") for domain in ready.domains), recipe
        assert recipe.source.startswith(recipe.prefix)
