"""Refresh a documentation database: fetch changes, or follow the tag it was pulled by."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import show_progress
from hookwright_documentation.build import (
    BuildResult,
    Loss,
    build,
    find_former,
    is_whole,
)
from hookwright_documentation.databases import Database
from hookwright_documentation.sharing.references import Pin, Reference, read_pin
from hookwright_documentation.sources.registry import find_source

if TYPE_CHECKING:
    from hookwright_documentation.recipes.recipe import Recipe
    from hookwright_documentation.sharing.archive import Archive
    from hookwright_documentation.sharing.registry import Artifact, PlainRegistry


class UnfetchableError(RefusedError):
    """The source of a database cannot be fetched again."""


@dataclass(frozen=True)
class MovedTag:
    """A tag that now refers to another artifact."""

    before: Pin  # where the database was pulled from
    digest: str  # digest that the tag now refers to
    archive: "Archive"
    recipe: "Recipe"  # recipe of the new database
    dropped: tuple[str, ...]  # addresses and domains left out of the recipe
    old: Database | None  # the database, unless it is damaged


def refresh(
    name: str,
    accept_loss: Callable[[Loss], object],
    accept_move: Callable[[MovedTag], object],
) -> tuple[BuildResult, Pin | None]:
    """Refresh a database and return it, and where it was pulled from, if applicable.

    `accept_loss` is as for `build`. `accept_move` is called before the artifact that a tag was
    moved to replaces the database; it raises to keep the database. Raises ReportedError; the old
    database stays.
    """
    if pin := read_pin(name):
        return follow(name, pin, accept_move)
    old, recipe = find_former(name)
    if not recipe:
        raise RefusedError(
            f"{name} is damaged and its recipe is lost: run hookwright remove {name}"
        )
    if not recipe.source:
        raise UnfetchableError(
            f"{name} was imported without a source: import it again, or set "
            f"one with hookwright setup {recipe.keywords[0]} URL --name {name}"
        )
    if find_source(recipe.source).is_pipe:
        raise UnfetchableError(
            f"{name} was built from a pipe, which cannot be read again: pipe the text into "
            f"hookwright setup {recipe.keywords[0]} - --name {name}"
        )
    try:
        # The language and version were chosen by the setup.
        return replace(build(recipe, accept_loss, old=old), choices=()), None
    except RefusedError:  # its message says what stays
        raise
    except ReportedError as error:
        if old:
            raise ReportedError(f"{name}: kept the old pages: {error}") from None
        raise


def follow(
    name: str, pin: Pin, accept_move: Callable[[MovedTag], object]
) -> tuple[BuildResult, Pin]:
    from hookwright_documentation.sharing.building import build_shared, choose_recipe
    from hookwright_documentation.sharing.registry import connecting, find_artifact

    old, known = find_former(name)
    is_sound = old is not None and is_whole(old)
    reference, digest = pin.reference, pin.digest
    archive = None
    if not (is_sound and reference.digest):
        with connecting(reference) as registry:
            artifact = find_artifact(registry, reference)
            digest = artifact.digest
            if not is_sound or digest != pin.digest:
                archive = fetch(registry, reference, artifact)
    new_pin = Pin(reference, digest)
    if old and not archive:
        return BuildResult(old, is_new=False), new_pin
    if not archive or not archive.pages:
        raise RefusedError(f"{reference} no longer has pages: kept the old ones of {name}")
    # The user chose the routing of searches.
    keywords = known.keywords if known else ()
    recipe, dropped = choose_recipe(archive, name, old, keywords)
    if digest != pin.digest:  # otherwise only a damaged database is rebuilt
        accept_move(MovedTag(pin, digest, archive, recipe, dropped, old))
    return build_shared(recipe, archive, new_pin.export()), new_pin


def fetch(registry: "PlainRegistry", reference: Reference, artifact: "Artifact") -> "Archive":
    """Return a verified archive from a registry; raises ReportedError."""
    from hookwright_documentation.sharing.archive import read_archive
    from hookwright_documentation.sharing.registry import pull

    with tempfile.TemporaryFile() as file:
        with show_progress("Fetching") as progress:
            pull(registry, reference, artifact, file, progress)
        file.seek(0)
        with show_progress("Verifying") as progress:
            return read_archive(file, str(reference), progress)
