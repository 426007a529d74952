"""Build a database from an archive, and restore the old one if the next step fails."""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import ReportedError
from hookwright_console.files.atomic import replacing
from hookwright_console.terminal import count
from hookwright_console.version import find_version
from hookwright_documentation.build import BuildResult, find_copy, working
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.databases import (
    CURRENT,
    LOCK,
    RECIPE,
    WORK,
    Database,
    check_place,
    find_database_folder,
    is_database,
    list_generations,
    locking,
    remove_files,
)
from hookwright_documentation.leann import LINK
from hookwright_documentation.pages import Page
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.sharing.archive import Archive, describe_files, list_contents
from hookwright_documentation.sharing.export import is_domain, is_followed
from hookwright_documentation.sharing.manifest import LICENSE, refuse_ordinary
from hookwright_documentation.sources.registry import CrawlReport, find_source

# Crawl options kept from the user's own database if an archive has no source to fetch from.
CRAWLED = (
    *("source", "prefix", "max_pages", "language", "version", "exclusions", "python"),
    "is_strangers",
)
NAMED = 3  # pages of each kind to list


def choose_recipe(
    archive: Archive, name: str, old: Database | None, keywords: Sequence[str] = ()
) -> tuple[Recipe, tuple[str, ...]]:
    """Return a database's recipe, and the addresses and domains removed from it."""
    recipe = replace(archive.manifest.recipe, name=name, is_strangers=True)
    if keywords:
        recipe = replace(recipe, keywords=tuple(keywords))
    else:
        refuse_ordinary(recipe.keywords, f"the archive of {name}")
    known = recall_recipe(old.manifest) if old else None
    if known:  # the user chose the existing recipe's keywords
        recipe = replace(recipe, engine=known.engine, leann=known.leann)
    domains = tuple(domain for domain in recipe.domains if is_domain(domain))
    dropped = tuple(domain for domain in recipe.domains if domain not in domains)
    recipe = replace(recipe, domains=domains)
    prefix = "" if find_source(recipe.source).has_folders else recipe.prefix
    places = dict.fromkeys(filter(None, (recipe.source, prefix)))
    private = [place for place in places if not is_followed(place)]
    if private:
        recipe, dropped = replace(recipe, source="", prefix=""), (*private, *dropped)
    if known and not recipe.source and not known.is_strangers:
        return replace(recipe, **{name: getattr(known, name) for name in CRAWLED}), dropped
    return recipe, dropped


def build_shared(
    recipe: Recipe, archive: Archive, origin: dict[str, Any], root: Path | None = None
) -> BuildResult:
    """Replace a database with one from an archive; on ReportedError, the old one is kept."""
    shared = archive.manifest
    crawled = CrawlReport(
        shared.prefix, version=shared.version, copyright=shared.copyright, date=shared.crawled
    )
    origin = {**origin, "archive": archive.sha256, "version": find_version()}
    with working(recipe, root) as work:
        work.forget()
        try:
            work.write_pages(archive.pages)
            if archive.license_text:
                with replacing(work.building / LICENSE) as file:
                    file.write(archive.license_text)
            manifest, passages = work.describe(crawled, "ask for a smaller one")
            return BuildResult(work.finish(manifest, passages, origin), is_new=True)
        except ReportedError:
            work.remove_new()
            raise


def count_listed(pages: list[Page], archive: Archive) -> int:
    """Return the number of pages whose checksums an archive lists.

    A page's date and licence may differ.
    """
    crawled = archive.manifest.crawled
    like = [replace(page, crawled=crawled, license="") for page in pages]
    listed = {file.sha256 for file in archive.manifest.files}
    return sum(file.sha256 in listed for file in describe_files(list_contents("", like)))


def compare(database: Database, pages: Sequence[Page]) -> dict[str, list[str]]:
    """Return the sorted addresses of the pages that an archive adds, changes and removes."""
    before = {page.url: page for page in map(read_page, list_pages(database.pages))}
    after = {page.url: page for page in pages}
    changed = [
        url
        for url, page in after.items()
        if url in before and (page.title, page.text) != (before[url].title, before[url].text)
    ]
    found: dict[str, Iterable[str]] = {
        "added": after.keys() - before.keys(),
        "changed": changed,
        "removed": before.keys() - after.keys(),
    }
    return {kind: sorted(urls) for kind, urls in found.items() if urls}


def list_differences(compared: dict[str, list[str]]) -> list[str]:
    return [
        f"{count(len(urls), 'page')} {kind}: {', '.join(urls[:NAMED])}"
        + (", ..." if len(urls) > NAMED else "")
        for kind, urls in compared.items()
    ]


@contextmanager
def restoring(
    name: str, failures: type[BaseException] = Exception, root: Path | None = None
) -> Iterator[None]:
    """Restore a database if the block fails; a new database is removed.

    If another process has rebuilt the database meanwhile, its result is kept. Raises OSError; also
    raises RefusedError if another process is building the database or its folder is occupied.
    """
    folder = find_database_folder(name, root)
    has_root = folder.parent.exists()
    check_place(folder)
    copy = find_copy(folder)  # stays empty for a new database
    try:
        with locking(folder):
            shutil.rmtree(copy, ignore_errors=True)  # left by a killed process with our process ID
            if is_database(folder):
                rest = shutil.ignore_patterns(WORK, LOCK)
                shutil.copytree(folder, copy, symlinks=True, ignore=rest, copy_function=link)
            else:  # so that the folder is recognised as a database if the process is killed
                (folder / RECIPE).touch()
                copy.mkdir(parents=True)
        try:
            yield
        except failures:
            with suppress(ReportedError, OSError):  # another process is building the database
                put_back(copy, folder)
            if not has_root:
                with suppress(OSError):  # the parent folder contains another database
                    folder.parent.rmdir()
            raise
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def link(source: str, target: str) -> None:
    """Hard-link an immutable file, or else copy it; raises OSError."""
    try:
        os.link(source, target)
    except OSError:  # this file system does not support hard links
        shutil.copy2(source, target)


def put_back(copy: Path, folder: Path) -> None:
    """Replace a database with its copy, unless the copy was removed; raises RefusedError."""
    if not copy.is_dir():
        return
    with locking(folder):
        if not copy.is_dir():
            return
        if not is_database(copy):
            remove_files(folder)
            return
        kept = {path.name for path in copy.iterdir()}
        others = [path for path in list_generations(folder) if path.name not in kept]
        for generation in list_generations(copy):
            if not (folder / generation.name).exists():
                generation.rename(folder / generation.name)
        for name in (RECIPE, LINK, CURRENT):
            if name in kept:
                (copy / name).replace(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)
        for other in others:
            shutil.rmtree(other)
