"""What the tests of the template share."""

from pathlib import Path

import pytest

from ..support.client_installer import OTHERS, render_for


@pytest.fixture(scope="session")
def rendered(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rendered")
    return render_for(template, folder / "my-hooks", "claude", *OTHERS)
