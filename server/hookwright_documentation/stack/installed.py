"""Find the Python packages of a project that are installed in its own environment.

Their API can be indexed from their sources, without a recipe and without the network.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

from hookwright_documentation.recipes.ready import ReadyRecipe
from hookwright_documentation.stack.dependency import PYPI
from hookwright_documentation.stack.proposal import Proposal, State
from hookwright_documentation.stack.survey import Use

ENVIRONMENTS = (".venv", "venv")
MAX_OFFERED = 15  # that are offered


def find_environment(root: Path) -> Path | None:
    """Return the environment in a project's folder, itself without links, or None.

    Links out of it do not count.
    """
    for name in ENVIRONMENTS:
        folder = root / name
        if (folder / "pyvenv.cfg").is_file() and folder.resolve().is_relative_to(root):
            return folder
    return None


def list_installed(environment: Path) -> dict[str, str]:
    """Return the versions of what is installed in an environment, by normalized names.

    Only the names of folders are read (PyPA, "Recording installed projects").
    """
    from packaging.utils import canonicalize_name

    from hookwright_documentation.sources.python_packages.environments import (
        find_site_folders,
        list_descriptions,
    )

    found: dict[str, str] = {}
    for folder in find_site_folders(environment):
        for description in list_descriptions(folder):
            name, _, version = description.stem.partition("-")
            found[canonicalize_name(name)] = version.partition("-")[0]
    return found


def offer_installed(rest: Sequence[Use], root: Path, taken: Collection[str]) -> list[Proposal]:
    """Return proposals for the dependencies without a recipe that are installed.

    `rest` has the most used first; no database may have a name that is `taken` by a recipe.
    """
    environment = find_environment(root)
    if not environment:
        return []
    installed = list_installed(environment)
    offers = []
    for use in rest:
        name = use.key[1]
        if use.ecosystem == PYPI and name in installed and name not in taken:
            recipe = ReadyRecipe(
                name, (name,), f"python:{name}", description=f"{name}, as installed", verified=True
            )
            offers.append(
                Proposal(recipe, (use,), installed[name], State.NEW, environment=environment)
            )
    return offers[:MAX_OFFERED]
