"""The index of a small documentation."""

from pathlib import Path

import pytest

from hookwright_documentation.index import DocumentationIndex, build_index, open_index
from hookwright_documentation.pages import NamedTarget

from .passages import COOKING, SITE


@pytest.fixture(scope="session")
def cooking_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "cooking" / "generation" / "index"
    folder.mkdir(parents=True)
    build_index(COOKING, [NamedTarget("crust", f"{SITE}bread.html#oven")], folder)
    return folder


@pytest.fixture(scope="session")
def cooking(cooking_folder: Path) -> DocumentationIndex:
    return open_index(cooking_folder)
