"""Refresh a documentation database: fetch what changed, or follow the tag that it was pulled by."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import show_progress
from hookwright_documentation.build import (
    BuildResult,
    build,
    find_indexed,
    find_old,
    find_recipe,
    open_built,
)
from hookwright_documentation.damage import is_whole
from hookwright_documentation.sharing.references import Pin, Reference, read_pin
from hookwright_documentation.work import Loss

if TYPE_CHECKING:
    from hookwright_documentation.recipes.recipe import Recipe
    from hookwright_documentation.sharing.archive import Archive
    from hookwright_documentation.sharing.registry import Artifact, PlainRegistry


@dataclass(frozen=True)
class MovedTag:
    """What the tag of a database leads to now.

    Args:
        before: Where it was pulled from.
        digest: Where the tag leads to now.
        archive: The archive there.
        recipe: What the database would be made of.
        dropped: The addresses and domains that are left out of the recipe.

    """

    before: Pin
    digest: str
    archive: "Archive"
    recipe: "Recipe"
    dropped: tuple[str, ...]


def refresh(
    name: str,
    accept_loss: Callable[[Loss], object],
    accept_move: Callable[[MovedTag], object],
) -> tuple[BuildResult, Pin | None]:
    """Refresh a database.

    Args:
        name: Its name.
        accept_loss: As for `build`.
        accept_move: Called before what its tag leads to now takes the place of the old database;
            raises to keep the old one.

    Returns:
        The database, and where it was pulled from, if it was.

    Raises:
        ReportedError: It cannot be done. The old database stays.

    """
    if pin := read_pin(name):
        return follow(name, pin, accept_move)
    recipe = find_recipe(name)
    if not recipe:
        raise RefusedError(
            f"{name} is damaged, and nothing says what it was made of: run hookwright remove {name}"
        )
    if not recipe.source:
        raise RefusedError(
            f"{name} was imported, and has no address to fetch it from: import it again, or give "
            f"one by hookwright setup {recipe.keywords[0]} URL --name {name}"
        )
    try:
        return build(recipe, accept_loss), None
    except RefusedError:  # which says what stays
        raise
    except ReportedError as error:
        if find_old(name):
            raise ReportedError(f"{name}: the old pages stay: {error}") from None
        raise


def follow(
    name: str, pin: Pin, accept_move: Callable[[MovedTag], object]
) -> tuple[BuildResult, Pin]:
    from hookwright_documentation.sharing.registry import connecting, find_artifact

    old = find_indexed(name)
    is_sound = old is not None and is_whole(old)
    reference, digest = pin.reference, pin.digest
    archive = None
    if not (is_sound and reference.digest):
        with connecting(reference) as registry:
            artifact = find_artifact(registry, reference)
            digest = artifact.digest
            if not is_sound or digest != pin.digest:
                archive = fetch(registry, reference, artifact)
    built = replace_by(archive, name, pin, digest, accept_move) if archive else open_built(name)
    return built, Pin(reference, digest)


def fetch(registry: "PlainRegistry", reference: Reference, artifact: "Artifact") -> "Archive":
    """Return the archive of an artifact, verified; raises ReportedError."""
    from hookwright_documentation.sharing.archive import read_archive
    from hookwright_documentation.sharing.registry import pull

    with tempfile.TemporaryFile() as file:
        with show_progress("Fetching") as progress:
            pull(registry, reference, artifact, file, progress)
        file.seek(0)
        with show_progress("Verifying") as progress:
            return read_archive(file, str(reference), progress)


def replace_by(
    archive: "Archive",
    name: str,
    pin: Pin,
    digest: str,
    accept_move: Callable[[MovedTag], object],
) -> BuildResult:
    from hookwright_documentation.sharing.building import build_shared, choose_recipe

    if not archive.pages:
        raise RefusedError(f"{pin.reference} has no pages any more: the old ones of {name} stay")
    known = find_recipe(name)  # the searches that go to it are this user's choice
    recipe, dropped = choose_recipe(archive, name, keywords=known.keywords if known else ())
    if digest != pin.digest:  # else a damaged database is built again
        accept_move(MovedTag(pin, digest, archive, recipe, dropped))
    return build_shared(recipe, archive, Pin(pin.reference, digest).export())
