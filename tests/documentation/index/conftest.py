"""The index of a small documentation database."""

from pathlib import Path

import pytest

from hookwright_documentation.databases import INDEX_FILE
from hookwright_documentation.index import DocumentationIndex, build_index
from hookwright_documentation.pages import NamedTarget

from .passages import COOKING, SITE


@pytest.fixture(scope="session")
def cooking_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("docs") / "cooking" / "generation" / INDEX_FILE
    path.parent.mkdir(parents=True)
    build_index(COOKING, [NamedTarget("crust", f"{SITE}bread.html#oven")], path)
    return path


@pytest.fixture(scope="session")
def cooking(cooking_file: Path) -> DocumentationIndex:
    return DocumentationIndex(cooking_file)
