"""Make a documentation database: crawl, cut, index, and put it in the place of the old one."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import read_object
from hookwright_console.version import find_version
from hookwright_documentation.damage import is_whole
from hookwright_documentation.databases import (
    ORIGIN,
    RECIPE,
    Database,
    find_folder,
    open_database,
    write_manifest,
)
from hookwright_documentation.recipes.recipe import Recipe, import_recipe, recall_recipe
from hookwright_documentation.sources.options import UnfinishedError
from hookwright_documentation.work import (
    BUILTIN,
    Loss,
    describe_change,
    index_again,
    working,
)


@dataclass(frozen=True)
class BuildResult:
    """A database that was built."""

    database: Database
    is_new: bool  # whether there is a new generation; not where nothing changed
    notes: tuple[str, ...] = ()  # what the user should know, in lines
    # Which language and version were taken, and how to choose others, in lines.
    choices: tuple[str, ...] = ()


def build(recipe: Recipe, agree: Callable[[Loss], object], root: Path | None = None) -> BuildResult:
    """Make a database, or make it anew from what changed; raises ReportedError.

    The old one stays where that fails. `agree` is called before a database that lost much takes its
    place, and raises to keep it. `root` is the folder of all databases; None for the user's.
    """
    with working(recipe, root) as work:
        old = find_indexed(recipe.name, root)
        try:
            crawled = work.crawl()
        except UnfinishedError:
            raise
        except ReportedError:
            work.remove_new()
            raise
        origin = find_origin(recipe, work.fetched)
        if old and read_origin(old) == origin and is_whole(old):
            old = replace(old, manifest=replace(old.manifest, crawled=crawled.date))
            write_manifest(old.manifest, old.folder)
            work.forget()
            return BuildResult(old, is_new=False, notes=crawled.notes, choices=crawled.choices)
        generation = work.find_generation()
        if not generation:
            crawled = work.cut(crawled)
            manifest = work.index(crawled, old.manifest if old else None, agree)
            generation = work.finish_generation(manifest, origin)
        new = work.replace_old(generation)
        notes = describe_change(old.manifest, new.manifest) if old else ()
        return BuildResult(
            new, is_new=True, notes=(*notes, *crawled.notes), choices=crawled.choices
        )


def find_old(name: str, root: Path | None = None) -> Database | None:
    """Return the database that there is already; None where it is damaged, too."""
    with suppress(ReportedError):
        return open_database(name, root)
    return None


def find_indexed(name: str, root: Path | None = None) -> Database | None:
    """Return the database that there is already, indexed if an earlier version made it."""
    old = find_old(name, root)
    if old and old.manifest.engine == BUILTIN and not old.index.exists():
        with suppress(ReportedError):  # it is not whole
            index_again(old)
    return old


def find_recipe(name: str, root: Path | None = None) -> Recipe | None:
    """Return what a database is made of, also of one that is damaged or not finished, or None."""
    if old := find_old(name, root):
        return recall_recipe(old.manifest)
    try:
        recipe = import_recipe(read_object(find_folder(name, root) / RECIPE))
    except (KeyError, TypeError):
        return None
    return recipe if recipe.name == name else None


def is_built(recipe: Recipe, root: Path | None = None) -> bool:
    """Return whether there is a whole database that was made by a recipe."""
    old = find_indexed(recipe.name, root)
    return old is not None and recall_recipe(old.manifest) == recipe and is_whole(old)


def open_built(name: str, root: Path | None = None) -> BuildResult:
    """Return a database that is there already."""
    return BuildResult(open_database(name, root), is_new=False)


def find_origin(recipe: Recipe, fetched: Path) -> dict[str, Any]:
    """Return what a database would be made of: the recipe, the pages, and our version."""
    from hookwright_documentation.sources import read_fetched

    digest = hashlib.sha256()
    for one in read_fetched(fetched):
        for part in (one.url.encode(), one.content_type.encode(), one.body):
            digest.update(hashlib.sha256(part).digest())
    return {
        "recipe": recipe.export(),
        "digest": digest.hexdigest(),
        "version": find_version(),
    }


def read_origin(database: Database) -> dict[str, Any]:
    """Return what a database was made of; {} if that is not known."""
    return read_object(database.folder / ORIGIN)
