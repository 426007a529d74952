"""Build a documentation database: crawl, cut, index, and replace the old generation.

Unfinished work stays in the folder `work`, including the result of a finished crawl, so that the
next run can resume from there. Searches read the old generation until the new one is complete.
"""

import hashlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.atomic import write_json
from hookwright_console.files.regular import read_object
from hookwright_console.terminal import ask_yes, count, print_line, show_progress, track
from hookwright_console.version import find_version
from hookwright_documentation.cutting import find_repeats, list_pages, read_page, split, write_page
from hookwright_documentation.databases import (
    CURRENT,
    INDEX,
    ORIGIN,
    PAGES,
    RECIPE,
    WORK,
    Database,
    Manifest,
    check_place,
    find_database_folder,
    locking,
    open_database,
    remove_files,
    swap,
    write_manifest,
)
from hookwright_documentation.leann import LINK, META
from hookwright_documentation.leann.program import build_index as build_leann
from hookwright_documentation.leann.program import link_index
from hookwright_documentation.recipes.recipe import (
    Engine,
    Recipe,
    import_recipe,
    recall_recipe,
    take_lists,
)
from hookwright_documentation.sources.child_process import NO_TEXT, PageConverter, crawl
from hookwright_documentation.sources.registry import CrawlReport, UnfinishedError
from hookwright_documentation.sources.results import (
    describe_left_out,
    read_fetched,
    read_inventory,
)

if TYPE_CHECKING:
    from hookwright_documentation.pages import Draft, Page, Passage

FETCHED = "fetched"  # in `work`: fetched pages, which the next crawl reuses
BUILDING = "building"  # in `work`: the unfinished generation
STEPS = "steps.json"  # in `work`: the finished crawl
COPY = "copy-"  # in `work`, plus a process ID: the backup to restore if a replacement fails
PRIVATE = 0o700  # mode of a generation's folder
MAX_PASSAGES = 500_000  # building an index of this size takes a gigabyte of memory
KEPT = 0.7  # minimum share of pages and passages that a refresh keeps without confirmation


@dataclass(frozen=True)
class BuildResult:
    """The result of a build."""

    database: Database
    is_new: bool  # False if nothing changed
    notes: tuple[str, ...] = ()  # messages for the user
    is_asked: bool = True  # whether the source was checked for changes

    def export(self) -> dict[str, Any]:
        manifest = self.database.manifest
        return {
            "name": manifest.name,
            "changed": self.is_new,
            "engine": manifest.engine,
            "pages": manifest.pages,
            "passages": manifest.passages,
            "version": manifest.version,
            "license": manifest.license,
            "folder": str(self.database.folder.parent),
            "notes": [*self.notes],
        }

    def show(self) -> None:
        manifest = self.database.manifest
        held = f"{count(manifest.pages, 'page')}, {count(manifest.passages, 'passage')}"
        unchanged = f"{manifest.name}: nothing changed, {held}"
        found = f"{'Built' if self.is_new else 'Found'} {manifest.name}: {held}"
        print_line(found if self.is_new or not self.is_asked else unchanged)
        for note in self.notes:
            print_line(f"  {note}")


def find_former(name: str, root: Path | None = None) -> tuple[Database | None, Recipe | None]:
    """Return an existing database unless it is damaged or unfinished, and its recipe if known."""
    if old := find_old(name, root):
        return old, recall_recipe(old.manifest)
    recipe = import_recipe(read_object(find_database_folder(name, root) / RECIPE))
    return None, recipe if recipe and recipe.name == name else None


def find_old(name: str, root: Path | None = None) -> Database | None:
    """Return the existing database or None; reindex one written by an earlier version."""
    with suppress(ReportedError):
        old = open_database(name, root)
        if old.manifest.engine == Engine.BUILTIN and not old.index.exists():
            with suppress(ReportedError):  # the database is incomplete
                index_again(old)
        return old
    return None


def agree_to_loss(*, yes: bool) -> Callable[[str], None]:
    def agree(loss: str) -> None:
        if yes:
            return
        if not sys.stdin.isatty():
            raise RefusedError(f"{loss}, so the old ones were kept: add --yes to replace them")
        if not ask_yes(f"{loss}: replace the old ones?", default=False):
            raise RefusedError(f"{loss}, so the old ones were kept")

    return agree


def build(
    recipe: Recipe,
    old: Database | None,
    agree: Callable[[str], object],
    root: Path | None = None,
) -> BuildResult:
    """Build a database, or update it from changed pages; raises ReportedError.

    `agree` is called with a description of the loss before a much smaller database replaces the old
    one; it raises an error to keep the old one, which is also kept if the build fails.
    """
    with working(recipe, root) as work:
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
            return BuildResult(old, is_new=False, notes=crawled.notes)
        crawled = work.cut(crawled)
        manifest, passages = work.describe(crawled)
        if old and (loss := describe_loss(old.manifest, manifest)):
            agree(loss)
        new = work.finish(manifest, passages, origin)
        changes = describe_change(old.manifest, new.manifest) if old else ()
        # A refresh repeats the choices that the user has seen.
        choices = () if old and recall_recipe(old.manifest) == recipe else crawled.choices
        return BuildResult(new, is_new=True, notes=(*choices, *changes, *crawled.notes))


@contextmanager
def working(recipe: Recipe, root: Path | None = None) -> Iterator["Work"]:
    """Yield the locked work folder of a database; raises RefusedError."""
    folder = find_database_folder(recipe.name, root)
    check_place(folder)
    with locking(folder):
        if not (folder / CURRENT).exists():
            write_json(folder / RECIPE, recipe.export())
        work = Work(folder, recipe)
        try:
            yield work
        except Exception:  # a killed run is resumed; a failed one queries the source again
            work.forget()
            raise


def find_copy(database: Path) -> Path:
    """Return the folder in which this process backs up a database."""
    return database / WORK / f"{COPY}{os.getpid()}"


class Work:
    """The work folder for a database under construction."""

    def __init__(self, database: Path, recipe: Recipe) -> None:
        folder = database / WORK
        self.recipe = recipe
        self.fetched = folder / FETCHED
        self.building = folder / BUILDING
        self._database = database
        self._path = folder / STEPS
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for copy in folder.glob(f"{COPY}*"):  # restoring this backup would undo the build
            if copy != find_copy(database):
                shutil.rmtree(copy, ignore_errors=True)

    def crawl(self) -> CrawlReport:
        steps = {"recipe": self.recipe.export(), "day": today()}
        noted = read_object(self._path)
        if noted == {**steps, "crawled": noted.get("crawled")}:
            return CrawlReport(**take_lists(noted["crawled"]))
        self.fetched.mkdir(exist_ok=True)
        with show_progress(f"Crawling {self.recipe.name}", always=True) as progress:
            report = crawl(self.recipe.crawl_options, self.fetched, progress)
        crawled = replace(report, date=today())
        write_json(self._path, {**steps, "crawled": asdict(crawled)})
        return crawled

    def cut(self, crawled: CrawlReport) -> CrawlReport:
        from hookwright_documentation.cutting.site import compare_pages, finish_pages

        licensed = self.recipe.license or crawled.license
        site, fetched = compare_pages(list(read_fetched(self.fetched)))
        drafts: list[Draft] = []
        left: dict[str, str] = {}
        with PageConverter(crawled.date, crawled.version, licensed) as converter:
            for page in track("Cutting", fetched):
                try:
                    drafts.append(converter.convert(page, site.list_fragments(page.url)))
                except RefusedError as error:  # noqa: PERF203 - the others are converted
                    left[page.url] = str(error)
        if not drafts:
            raise ReportedError(
                f"no text found on the {len(fetched)} pages of {self.recipe.source}: "
                "use another address"
            )
        pages = finish_pages(drafts, site)
        repeats = find_repeats(pages)
        self.write_pages([page for page in pages if page.url not in repeats])
        notable = sorted(left.items(), key=lambda item: (item[1] == NO_TEXT, item[0]))
        return replace(crawled, notes=(*crawled.notes, *describe_left_out(dict(notable))))

    def write_pages(self, pages: "Sequence[Page]") -> None:
        shutil.rmtree(self.building, ignore_errors=True)
        (self.building / PAGES).mkdir(parents=True)
        for page in track("Writing", pages, always=True):
            write_page(page, self.building / PAGES)

    def describe(self, crawled: CrawlReport, way_out: str = "") -> "tuple[Manifest, list[Passage]]":
        """Return the new generation's manifest, and the passages of its pages."""
        recipe, paths = self.recipe, list_pages(self.building / PAGES)
        passages: list[Passage] = []
        for path in track("Reading", paths):
            passages += split(read_page(path))
            if len(passages) > MAX_PASSAGES:
                setup = f"narrow it with hookwright setup {recipe.name} --prefix or --max-pages"
                raise ReportedError(
                    f"{recipe.name} has over {MAX_PASSAGES:,} passages: {way_out or setup}"
                )
        found = {"site": crawled.site, "copyright": crawled.copyright}
        options = recipe.options | {name: text for name, text in found.items() if text}
        if crawled.license and not recipe.license:
            options["license"] = ""  # records that the user specified no licence
        manifest = Manifest(
            recipe.name,
            recipe.title,
            recipe.source,
            crawled.prefix,
            recipe.engine,
            crawled.version,
            recipe.license or crawled.license,
            crawled.date,
            len(paths),
            len(passages),
            options,
        )
        return manifest, passages

    def finish(
        self, manifest: Manifest, passages: "list[Passage]", origin: dict[str, Any]
    ) -> Database:
        """Write the index, make the new generation current, and return its database."""
        is_leann, index = self.recipe.engine == Engine.LEANN, self.building / INDEX
        stage = "Indexing with LEANN" if is_leann else "Indexing"
        with show_progress(stage, always=True) as progress:
            if is_leann:
                index.mkdir()
                number = build_leann(self.building / PAGES, index, self.recipe.leann)
                manifest = replace(manifest, passages=number)
            else:
                write_index(Database(manifest, self.building), passages, self.fetched, progress)
        write_json(self.building / ORIGIN, origin)
        write_manifest(manifest, self.building)
        self.building.chmod(PRIVATE)
        stem = f"{datetime.now(timezone.utc):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        generation = self.building.rename(self._database / stem)
        name, root = self.recipe.name, self._database.parent
        if is_leann:  # our own server needs no link to find it
            link_index(self._database, generation / INDEX)
        swap(name, generation, root)
        write_json(self._database / RECIPE, self.recipe.export())
        self.forget()
        return open_database(name, root)

    def remove_new(self) -> None:
        """Remove an unusable database, unless an old one exists."""
        if not (self._database / CURRENT).exists():
            remove_files(self._database)

    def forget(self) -> None:
        """Make the next run start with a new crawl, which fetches only changed pages."""
        self._path.unlink(missing_ok=True)
        shutil.rmtree(self.building, ignore_errors=True)


def describe_loss(old: Manifest, new: Manifest) -> str:
    """Return which pages or passages a new generation would lose, or "" if they are few."""
    counts = [("page", old.pages, new.pages)]
    if old.engine == new.engine == Engine.BUILTIN:  # LEANN splits pages differently
        counts.append(("passage", old.passages, new.passages))
    losses = (
        f"{new.name} would have {after:,} of {count(before, noun)}"
        for noun, before, after in counts
        if after < KEPT * before
    )
    return next(losses, "")


def write_index(
    database: Database,
    passages: "list[Passage]",
    fetched: Path,
    progress: "Callable[[int, int], None] | None" = None,
) -> None:
    """Write a generation's index; raises ReportedError.

    `fetched` is the crawl's folder, which contains the site's own links and index.
    """
    from hookwright_documentation.index import build_index

    manifest = database.manifest
    about = {
        "name": manifest.name,
        "heading": manifest.heading,
        "prefix": manifest.prefix,
        "version": manifest.version,
        "language": recall_recipe(manifest).language,
        "license": manifest.license,
        "crawled": manifest.crawled,
    }
    try:
        build_index(passages, read_inventory(fetched), database.index, about, progress)
    except OSError as error:
        raise ReportedError(
            f"{manifest.name}: the index cannot be written ({error.strerror}):"
            f" run hookwright refresh {manifest.name}"
        ) from None


def index_again(database: Database) -> None:
    """Rebuild the index of a database written by an earlier version."""
    try:
        pages = list(map(read_page, list_pages(database.pages)))
    except OSError as error:
        name = database.manifest.name
        raise ReportedError(
            f"{name}: the pages cannot be read ({error.strerror}): run hookwright refresh {name}"
        ) from None
    passages = [passage for page in pages for passage in split(page)]
    write_index(database, passages, database.folder.parent / WORK / FETCHED)
    database.folder.chmod(PRIVATE)


def is_current(old: Database, recipe: Recipe) -> bool:
    return recall_recipe(old.manifest) == recipe and is_whole(old)


def find_origin(recipe: Recipe, fetched: Path) -> dict[str, Any]:
    """Return a build's identity: the recipe, the pages' digest and Hookwright's version."""
    digest = hashlib.sha256()
    for page in read_fetched(fetched):
        for part in (page.url.encode(), page.content_type.encode(), page.body):
            digest.update(hashlib.sha256(part).digest())
    return {
        "recipe": recipe.export(),
        "digest": digest.hexdigest(),
        "version": find_version(),
    }


def read_origin(database: Database) -> dict[str, Any]:
    return read_object(database.folder / ORIGIN)


def check_whole(database: Database) -> None:
    """Check that the index is valid and includes all pages; raises ReportedError."""
    manifest = database.manifest
    way_out = f"run hookwright refresh {manifest.name}"
    is_leann = manifest.engine == Engine.LEANN
    if not (database.folder.parent / LINK / META if is_leann else database.index).is_file():
        raise ReportedError(f"{manifest.name} has no index: {way_out}")
    if not is_leann:
        from hookwright_documentation.index import DocumentationIndex

        DocumentationIndex(database.index).check_whole()
        for path in (database.index, database.folder.parent / CURRENT):
            if os.name == "posix" and path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise ReportedError(
                    f"{manifest.name}: other users can change {path.name}: {way_out}"
                )
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


def describe_change(old: Manifest, new: Manifest) -> tuple[str, ...]:
    lines = []
    before, after = count(old.pages, "page"), f"{new.pages:,}"
    if old.source != new.source:
        lines.append(f"replaced {before} of {old.source} with {after} of {new.source}")
    elif new.pages < KEPT * old.pages:
        lines.append(f"replaced {before} with {after}")
    if old.license not in {"", new.license}:
        lines.append(f"the licence changed from {old.license} to {new.license or 'unknown'}")
    return tuple(lines)


def today() -> str:
    return datetime.now().astimezone().date().isoformat()
