"""Python packages without a recipe are offered, with documentation from their installed sources."""

from pathlib import Path

import pytest

from hookwright_documentation.stack.survey import State, Use, offer_installed

USES = [Use("pypi", "My_Tool", "", ("x",)), Use("npm", "my-tool", "", ("x",))]


def is_new(_: object) -> State:
    return State.NEW


def install(root: Path, name: str = ".venv") -> Path:
    site = root / name / "lib" / "python3.11" / "site-packages"
    description = site / "my_tool-1.2.3.dist-info"
    description.mkdir(parents=True)
    (description / "METADATA").write_text("Name: my-tool\nVersion: 1.2.3\n")
    (root / name / "pyvenv.cfg").touch()
    return root


@pytest.mark.parametrize("name", [".venv", "venv"])
def test_installed_package_is_offered(tmp_path: Path, name: str) -> None:
    root = install(tmp_path.resolve(), name)
    (offer,) = offer_installed(USES, root, [], is_new)
    assert (offer.name, offer.documented, offer.environment) == ("my-tool", "1.2.3", root / name)
    assert offer.recipe.source == "python:my-tool"
    assert offer_installed(USES, root, ["my-tool"], is_new) == []


def test_environment_outside_the_project_is_ignored(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "project"
    root.mkdir()
    assert offer_installed(USES, root, [], is_new) == []
    (root / ".venv").symlink_to(install(tmp_path) / ".venv")
    assert offer_installed(USES, root, [], is_new) == []
