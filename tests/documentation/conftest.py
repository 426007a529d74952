"""What the tests of databases share: a site in a folder, and what makes a database of it."""

from pathlib import Path

import pytest

from hookwright_documentation.recipe import Recipe

from ..support.acme_documentation import PREFIX, write_site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder with a documentation of four pages."""
    return write_site(tmp_path / "site")


@pytest.fixture
def recipe(site: Path) -> Recipe:
    """Return what makes a database of it."""
    return Recipe("acme", ("acme",), str(site), prefix=PREFIX, license="MIT")
