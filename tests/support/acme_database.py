"""Build a database of the small Acme documentation, for tests of database builds."""

from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_documentation.build import (
    BuildResult,
    build,
    find_former,
    find_old,
    is_current,
)
from hookwright_documentation.databases import WORK, open_database
from hookwright_documentation.index import DocumentationIndex
from hookwright_documentation.recipes.recipe import Recipe


class StoppedHereError(BaseException):
    """Simulates a crash, because no code handles this error."""


def stop(*_: object, **__: object) -> None:
    raise StoppedHereError


def refuse(loss: str) -> None:
    raise RefusedError(loss)


def run(recipe: Recipe, root: Path) -> BuildResult:
    return build(recipe, find_old(recipe.name, root), refuse, root)


def find(root: Path, query: str) -> str:
    return DocumentationIndex(open_database("acme", root).index).search(query, 1)[0].url


def find_recipe(name: str, root: Path | None = None) -> Recipe | None:
    return find_former(name, root)[1]


def is_built(recipe: Recipe, root: Path | None = None) -> bool:
    old = find_old(recipe.name, root)
    return old is not None and is_current(old, recipe)


def list_generations(root: Path) -> list[str]:
    folders = (path for path in (root / "acme").iterdir() if path.is_dir())
    return [folder.name for folder in folders if folder.name != WORK]
