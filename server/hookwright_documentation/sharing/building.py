"""Build a database from an archive: the pages are there, and the index is made here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.files.atomic import replacing
from hookwright_console.terminal import count
from hookwright_console.version import find_version
from hookwright_documentation.build import BuildResult, Work, find_old, working
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.databases import Database
from hookwright_documentation.pages import Page
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.sharing.archive import Archive, describe_files
from hookwright_documentation.sharing.export import is_domain, is_followed
from hookwright_documentation.sharing.manifest import LICENSE, refuse_ordinary
from hookwright_documentation.sources.options import CrawlReport
from hookwright_documentation.sources.registry import find_source

# What a recipe says of a crawl: of a database that the user made, it stays where an archive has no
# address to fetch it from.
CRAWLED = (
    *("source", "prefix", "max_pages", "language", "version", "exclusions", "python"),
    "is_strangers",
)
NAMED = 3  # pages of each kind


def choose_recipe(
    archive: Archive, name: str, old: Database | None, keywords: Sequence[str] = ()
) -> tuple[Recipe, tuple[str, ...]]:
    """Return what a database is made of, and the addresses and domains that are dropped."""
    recipe = replace(archive.manifest.recipe, name=name, is_strangers=True)
    if keywords:
        recipe = replace(recipe, keywords=tuple(keywords))
    else:
        refuse_ordinary(recipe.keywords, f"the archive of {name}")
    known = recall_recipe(old.manifest) if old else None
    if known:  # how it is searched is this user's choice
        recipe = replace(recipe, engine=known.engine, leann=known.leann)
    domains = tuple(one for one in recipe.domains if is_domain(one))
    dropped = tuple(one for one in recipe.domains if one not in domains)
    recipe = replace(recipe, domains=domains)
    prefix = "" if find_source(recipe.source).has_folders else recipe.prefix
    for address in filter(None, (recipe.source, prefix)):
        if not is_followed(address):
            recipe, dropped = replace(recipe, source="", prefix=""), (address, *dropped)
            break
    if known and not recipe.source and not known.is_strangers:
        return replace(recipe, **{name: getattr(known, name) for name in CRAWLED}), dropped
    return recipe, dropped


def build_shared(
    recipe: Recipe, archive: Archive, origin: dict[str, Any], root: Path | None = None
) -> BuildResult:
    """Make a database of an archive in the place of any old one, which stays on ReportedError."""
    with working(recipe, root) as work:
        work.forget()
        try:
            generation = make_generation(work, archive, origin, root)
        except ReportedError:
            work.remove_new()
            raise
        return BuildResult(work.replace_old(generation), is_new=True)


def make_generation(
    work: Work, archive: Archive, origin: dict[str, Any], root: Path | None
) -> Path:
    manifest = archive.manifest
    work.write_pages(archive.pages)
    if archive.license_text:
        with replacing(work.building / LICENSE) as file:
            file.write(archive.license_text)
    crawled = CrawlReport(
        manifest.prefix,
        version=manifest.version,
        copyright=manifest.copyright,
        date=manifest.crawled,
    )
    old = find_old(work.recipe.name, root)
    before = old.manifest if old else None
    made = work.index(crawled, before, lambda _: None, "ask for a smaller one")
    checksums = {"archive": archive.sha256, "version": find_version()}
    return work.finish_generation(made, {**origin, **checksums})


def count_listed(pages: list[Page], archive: Archive) -> int:
    """Return how many pages are those whose checksums an archive has.

    They may have been fetched on another day, and have another licence noted.
    """
    crawled = archive.manifest.crawled
    like = [replace(page, crawled=crawled, license="") for page in pages]
    listed = {one.sha256 for one in archive.manifest.files}
    return sum(one.sha256 in listed for one in describe_files("", like))


@dataclass(frozen=True)
class Comparison:
    """The addresses of the pages that an archive adds, changes and removes, in order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def list_lines(self) -> list[str]:
        kinds = {"added": self.added, "changed": self.changed, "removed": self.removed}
        return [
            f"{count(len(urls), 'page')} {kind}: {', '.join(urls[:NAMED])}"
            + (", ..." if len(urls) > NAMED else "")
            for kind, urls in kinds.items()
            if urls
        ]


def compare(database: Database, pages: Sequence[Page]) -> Comparison:
    before = {page.url: page for page in map(read_page, list_pages(database.pages))}
    after = {page.url: page for page in pages}
    changed = [
        url
        for url, page in after.items()
        if url in before and (page.title, page.text) != (before[url].title, before[url].text)
    ]
    return Comparison(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(changed)),
        tuple(sorted(before.keys() - after.keys())),
    )
