"""Refresh a documentation database: fetch changes, or follow the tag used for the pull."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.build import BuildResult, build, find_former, is_whole
from hookwright_documentation.databases import Database
from hookwright_documentation.sharing.references import Pin, Reference, read_pin
from hookwright_documentation.sources.registry import find_source

if TYPE_CHECKING:
    from oras.provider import Registry

    from hookwright_documentation.recipes.recipe import Recipe
    from hookwright_documentation.sharing.archive import Archive
    from hookwright_documentation.sharing.registry import Artifact


class UnfetchableError(RefusedError):
    """A database's source cannot be fetched again."""


@dataclass(frozen=True)
class MovedTag:
    """A tag that now refers to another artifact."""

    before: Pin  # where the database was pulled from
    digest: str  # digest that the tag refers to now
    archive: "Archive"
    recipe: "Recipe"  # the new database's recipe
    dropped: tuple[str, ...]  # addresses and domains removed from the recipe
    old: Database | None  # the existing database, unless it is damaged


def refresh(
    name: str,
    accept_loss: Callable[[str], object],
    accept_move: Callable[[MovedTag], object],
) -> tuple[BuildResult, Pin | None]:
    """Refresh a database; return it and, if it was pulled, where it was pulled from.

    `accept_loss` is as for `build`. If a tag has moved, `accept_move` is called before the new
    artifact replaces the database; it raises an error to keep the database. On ReportedError, the
    old database is kept.
    """
    if pin := read_pin(name):
        return follow_tag(name, pin, accept_move)
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
        return build(recipe, old, accept_loss), None
    except RefusedError:  # its message already says what is kept
        raise
    except ReportedError as error:
        if old:
            raise ReportedError(f"{name}: kept the old pages: {error}") from None
        raise


def follow_tag(
    name: str, pin: Pin, accept_move: Callable[[MovedTag], object]
) -> tuple[BuildResult, Pin]:
    from hookwright_documentation.sharing.building import build_shared, choose_recipe
    from hookwright_documentation.sharing.registry import connecting, find_artifact

    old, known = find_former(name)
    reference = pin.reference
    unchanged = BuildResult(old, is_new=False) if old and is_whole(old) else None
    if unchanged and reference.digest:
        return unchanged, pin
    with connecting(reference) as registry:
        artifact = find_artifact(registry, reference)
        if unchanged and artifact.digest == pin.digest:
            return unchanged, pin
        archive = fetch(registry, reference, artifact)
    if not archive.pages:
        raise RefusedError(f"{reference} no longer has pages: kept the old ones of {name}")
    # The user chose which searches are routed to the database.
    keywords = known.keywords if known else ()
    recipe, dropped = choose_recipe(archive, name, old, keywords)
    if artifact.digest != pin.digest:  # if equal, only a damaged database is rebuilt
        accept_move(MovedTag(pin, artifact.digest, archive, recipe, dropped, old))
    new_pin = Pin(reference, artifact.digest)
    return build_shared(recipe, archive, new_pin.export()), new_pin


def fetch(registry: "Registry", reference: Reference, artifact: "Artifact") -> "Archive":
    """Return a verified archive from a registry; raises ReportedError."""
    from hookwright_documentation.sharing.archive import read_archive
    from hookwright_documentation.sharing.registry import pull

    with tempfile.TemporaryFile() as file:
        pull(registry, reference, artifact, file)
        file.seek(0)
        return read_archive(file, str(reference))
