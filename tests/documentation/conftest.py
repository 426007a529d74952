"""Fixtures for database tests: a local site folder, and databases built from it."""

import shutil
from pathlib import Path

import pytest

from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_database import run
from ..support.acme_documentation import PREFIX, write_site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_site(tmp_path / "site")


@pytest.fixture(scope="session")
def acme(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, Path]:
    folder = tmp_path_factory.mktemp("acme")
    site = write_site(folder / "site")
    recipe = Recipe("acme", ("acme",), str(site), prefix=PREFIX, license="MIT")
    run(recipe, folder / "docs")
    return recipe, folder / "docs"


@pytest.fixture
def built(acme: tuple[Recipe, Path], tmp_path: Path) -> tuple[Recipe, Path]:
    return acme[0], shutil.copytree(acme[1], tmp_path / "docs", symlinks=True)


@pytest.fixture
def recipe(site: Path) -> Recipe:
    return Recipe("acme", ("acme",), str(site), prefix=PREFIX, license="MIT")
