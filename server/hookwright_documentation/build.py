"""Make a documentation database: crawl, cut, index, and put it in the place of the old one."""

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import read_object
from hookwright_console.terminal import count
from hookwright_console.version import find_version
from hookwright_documentation.databases import (
    CURRENT,
    ORIGIN,
    RECIPE,
    Database,
    find_folder,
    open_database,
    write_manifest,
)
from hookwright_documentation.leann import LINK, META
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
        old = find_old(recipe.name, root)
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


@dataclass(frozen=True)
class Former:
    """What there is of a database already."""

    database: Database | None = None  # None also where it is damaged or not finished
    recipe: Recipe | None = None  # what it is made of, if that is known


def find_old(name: str, root: Path | None = None) -> Database | None:
    """Return the database that there is, indexed if an earlier version made it; or None."""
    with suppress(ReportedError):
        old = open_database(name, root)
        if old.manifest.engine == BUILTIN and not old.index.exists():
            with suppress(ReportedError):  # it is not whole
                index_again(old)
        return old
    return None


def find_former(name: str, root: Path | None = None) -> Former:
    """Return what there is of a database, also of one that is damaged or not finished."""
    if old := find_old(name, root):
        return Former(old, recall_recipe(old.manifest))
    try:
        recipe = import_recipe(read_object(find_folder(name, root) / RECIPE))
    except (KeyError, TypeError):
        return Former()
    return Former(None, recipe if recipe.name == name else None)


def is_current(old: Database, recipe: Recipe) -> bool:
    return recall_recipe(old.manifest) == recipe and is_whole(old)


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
    return read_object(database.folder / ORIGIN)


def check_whole(database: Database) -> None:
    """Check the index of a database, and that it has all its pages; raises ReportedError."""
    manifest = database.manifest
    way_out = f"run hookwright refresh {manifest.name}"
    if manifest.engine == "leann":
        if not (database.folder.parent / LINK / META).is_file():
            raise ReportedError(f"{manifest.name} has no index: {way_out}")
    elif not database.index.exists():
        raise ReportedError(f"{manifest.name} has no index: {way_out}")
    else:
        from hookwright_documentation.index import open_index

        open_index(database.index).check_whole()
        for path in (database.index, database.folder.parent / CURRENT):
            if os.name == "posix" and path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise ReportedError(f"{manifest.name}: others can change {path.name}: {way_out}")
    pages = sum(1 for _ in database.pages.glob("*.md"))
    if pages != manifest.pages:
        held = f"{pages:,} of {count(manifest.pages, 'page')}"
        raise ReportedError(f"{manifest.name} has {held}: {way_out}")


def is_whole(database: Database) -> bool:
    try:
        check_whole(database)
    except ReportedError:
        return False
    return True
