"""Shared by import and pull: show an archive's content, build it here, and register it."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.discovery.ambiguous_keywords import FIELD, explain_meanings
from hookwright.documentation.database_records import list_shared_words
from hookwright.documentation.registration import build_server
from hookwright.documentation.setup import set_up
from hookwright.project.current import find_project
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import agree, count, print_line
from hookwright_documentation.build import BuildResult, agree_to_loss, build, find_old, read_origin
from hookwright_documentation.databases import Database
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.setup import Choice

if TYPE_CHECKING:
    from hookwright_documentation.sharing.archive import Archive


def take(
    archive: "Archive",
    name: str,
    folder: Path | None,
    origin: dict[str, Any],
    *,
    yes: bool,
    commits: bool,
) -> dict[str, Any]:
    """Build a database from an archive after the user agrees, register it and test it.

    If that fails or the user declines, everything is restored. `origin` describes where the archive
    comes from. Returns the result for scripts.
    """
    from hookwright_documentation.sharing.building import build_shared, choose_recipe, restoring

    name = name or archive.manifest.recipe.name
    old = find_old(name)
    recipe, dropped = choose_recipe(archive, name, old)

    def make() -> BuildResult:
        describe_archive(archive, recipe, dropped, old, folder)
        if archive.pages:
            agree(f"Import {recipe.name} and index it here?", yes=yes)
            undo.enter_context(restoring(recipe.name, BaseException))
            return build_shared(recipe, archive, origin)
        agree(f"Fetch its pages from {recipe.source}?", yes=yes)
        # After an interruption, keep the fetched pages so that the same command can continue.
        undo.enter_context(restoring(recipe.name, Exception))
        return fetch_pages(recipe, archive, old, yes=yes)

    if not archive.pages and not recipe.source:
        raise RefusedError(
            f"{recipe.name} comes without pages and without an address to fetch them from: "
            "ask for one with pages, exported with a licence"
        )
    with ExitStack() as undo:
        return set_up(Choice(recipe, old), folder, make, yes=yes, commits=commits)


def fetch_pages(
    recipe: Recipe, archive: "Archive", old: Database | None, *, yes: bool
) -> BuildResult:
    from hookwright_documentation.cutting import list_pages, read_page
    from hookwright_documentation.sharing.building import count_listed

    built = build(recipe, old, agree_to_loss(yes=yes))
    pages = [read_page(path) for path in list_pages(built.database.pages)]
    listed = f"{count_listed(pages, archive):,} of {count(len(pages), 'page')}"
    note = f"{listed} are identical to those that were shared"
    return replace(built, notes=(*built.notes, note))


def describe_archive(
    archive: "Archive",
    recipe: Recipe,
    dropped: tuple[str, ...],
    old: Database | None,
    folder: Path | None = None,
) -> None:
    """Show an archive's content, the parts that were dropped, and the changes that it makes."""
    from hookwright_documentation.sharing.manifest import LOCAL

    manifest = archive.manifest
    record: dict[str, Any] = {"name": recipe.name, "keywords": [*recipe.keywords]}
    record |= {FIELD: True} if recipe.ambiguous else {}
    project = find_project(folder)
    there = project.databases if project else ()
    shared = list_shared_words(there, [record], build_server(recipe.engine).name)
    pages = count(len(manifest.pages), "page")
    held = f"{pages}, {recipe.license}" if archive.pages else f"a recipe for {pages}"
    lines = [
        f"{recipe.name}: {held}, {manifest.attribution}",
        f"  searches with {', '.join(recipe.keywords)} go to it",
        *(f"    {line}" for line in [*shared, *explain_meanings(record)]),
        f"  the agent reads: {recipe.title}",
        f"  SHA-256 {archive.sha256}, {archive.size:,} bytes",
    ]
    if manifest.copyright:
        lines.append(f"  copyright: {manifest.copyright}")
    for name, value in recipe.list_chosen(*LOCAL).items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        lines.append(f"  {name.replace('_', ' ')}: {shown}")
    less, where = archive.dropped, count(archive.dropped.pages, "page")
    if less.characters or less.texts:
        what = f"{count(less.characters, 'character')} and {count(less.texts, 'text')}"
        lines.append(f"  dropped invisible content: {what}, on {where}")
    elif less:
        lines.append(f"  escaped marks that could hide text, on {where}")
    lines += [f"  dropped the address {address}: it is not on the internet" for address in dropped]
    if not recipe.source:
        lines.append("  it has no address, so hookwright refresh can only follow a registry")
    print_line(*lines, *list_changes(archive, recipe, old))


def list_changes(archive: "Archive", recipe: Recipe, old: Database | None) -> list[str]:
    from hookwright_documentation.sharing.building import compare, list_differences

    name = recipe.name
    if not old or not archive.pages:
        return []
    manifest = old.manifest
    before = read_origin(old).get("archive")
    known = f", SHA-256 {before}" if before else ""
    compared = compare(old, archive.pages)
    lines = [
        f"  {name} is there, {count(manifest.pages, 'page')} of {manifest.crawled}{known}"
        + ("" if compared else ": the pages are the same")
    ]
    lines += [f"    {line}" for line in list_differences(compared)]
    if recipe.source and not recipe.is_strangers:
        lines.append(f"    hookwright refresh {name} fetches it from {recipe.source}, as before")
    keywords = recall_recipe(manifest).keywords
    shared = archive.manifest.recipe.keywords
    if keywords != recipe.keywords:
        lines.append(f"    its keywords were {', '.join(keywords)}")
    elif shared != keywords:
        lines.append(f"    its keywords there are {', '.join(shared)}: yours stay")
    return lines
