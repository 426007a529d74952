"""A database is built step by step: what is done stays, and searches see only what is whole."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import hookwright_documentation.crawl
import hookwright_documentation.cutting
import hookwright_documentation.index
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation import build as building
from hookwright_documentation.build import Built, Loss, build, find_recipe, is_built
from hookwright_documentation.databases import (
    CURRENT,
    RECIPE,
    WORK,
    list_names,
    list_unfinished,
    locking,
    open_database,
    remove_database,
)
from hookwright_documentation.index import open_index
from hookwright_documentation.pages import FetchedPage, Page
from hookwright_documentation.recipe import Recipe

from ..support.acme_documentation import PREFIX, TOPICS, write_site

# Where a build is stopped: what is called there, and the steps that were done before.
STEPS = {
    "crawl": (hookwright_documentation.crawl, "crawl"),
    "cut": (hookwright_documentation.cutting, "write_page"),
    "index": (hookwright_documentation.index, "build_index"),
    "manifest": (building, "write_manifest"),
    "publish": (building, "publish"),
    "swap": (building, "swap"),
}


class StoppedHereError(BaseException):
    """Stands for a crash, which no code handles."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder with a documentation of four pages."""
    return write_site(tmp_path / "site")


@pytest.fixture
def recipe(site: Path) -> Recipe:
    """Return what makes a database of it."""
    return Recipe("acme", ("acme",), str(site), prefix=PREFIX, license="MIT")


def stop(*_: object, **__: object) -> None:
    """Stand for a step at which the process crashes."""
    raise StoppedHereError


def refuse(loss: Loss) -> None:
    """Keep the old database."""
    raise RefusedError(f"{loss.after} of {loss.before} {loss.noun}s")


def run(recipe: Recipe, root: Path) -> Built:
    """Build a database that may not lose much."""
    return build(recipe, refuse, root)


def find(root: Path, query: str) -> str:
    """Return the address of the best page for a query."""
    return open_index(open_database("acme", root).index).search(query, 1)[0].url


def list_generations(root: Path) -> list[str]:
    """Return the names of the generations of the database."""
    folders = (one for one in (root / "acme").iterdir() if one.is_dir())
    return [one.name for one in folders if one.name != WORK]


def test_database_holds_the_site(recipe: Recipe, tmp_path: Path) -> None:
    """A built database says what it is made of, and finds its pages."""
    built = run(recipe, tmp_path / "docs")
    manifest = built.database.manifest
    assert (manifest.pages, manifest.prefix, manifest.license) == (4, PREFIX, "MIT")
    assert manifest.title == "acme documentation"
    assert find(tmp_path / "docs", "signed cookies") == f"{PREFIX}session.html"
    assert is_built(recipe, tmp_path / "docs")
    assert not is_built(replace(recipe, max_pages=3), tmp_path / "docs")


def test_recipe_leaves_pages_out(recipe: Recipe, tmp_path: Path) -> None:
    """A database has no pages that its recipe leaves out, and says what it documents."""
    built = run(replace(recipe, exclusions=("deploy",), description="Acme"), tmp_path / "docs")
    assert (built.database.manifest.pages, built.database.manifest.title) == (3, "Acme")


def test_pages_that_are_too_long_are_counted(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A database leaves out what nobody reads, and says so."""
    (site / "large.html").write_text("<h1>Large</h1>" + "<p>word" * 800_000)
    built = run(recipe, tmp_path / "docs")
    assert built.database.manifest.pages == 4
    assert "pages left out, each over 5 MB: 1" in built.notes


def test_unchanged_site_changes_nothing(recipe: Recipe, tmp_path: Path) -> None:
    """A refresh of a site without changes keeps the generation, and cuts and indexes nothing."""
    root = tmp_path / "docs"
    run(recipe, root)
    before = {path: path.stat().st_mtime_ns for path in (root / "acme").rglob("*.md")}
    built = run(recipe, root)
    assert not built.is_new
    assert {path: path.stat().st_mtime_ns for path in (root / "acme").rglob("*.md")} == before


def test_changed_page_makes_a_generation(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A refresh of a site with a change replaces the generation, and leaves one."""
    root = tmp_path / "docs"
    run(recipe, root)
    (old,) = list_generations(root)
    write_site(site, {**TOPICS, "logging": "Write messages to standard error, a line each."})
    built = run(recipe, root)
    assert built.is_new
    assert built.database.manifest.pages == 5
    (new,) = list_generations(root)
    assert new != old
    assert find(root, "messages standard error") == f"{PREFIX}logging.html"


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("refreshes", [False, True])
def test_build_goes_on_after_a_crash(
    recipe: Recipe,
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    *,
    refreshes: bool,
) -> None:
    """Stopped at any step, the old database stays, and the next run does only what is left."""
    root = tmp_path / "docs"
    if refreshes:
        run(recipe, root)
        write_site(site, {**TOPICS, "logging": "Write messages to standard error, a line each."})

    with monkeypatch.context() as patch:
        patch.setattr(*STEPS[step], stop)
        with pytest.raises(StoppedHereError):
            run(recipe, root)
    assert (list_names(root), list_unfinished(root)) == (
        (["acme"], []) if refreshes else ([], ["acme"])
    )
    if refreshes:
        assert find(root, "signed cookies") == f"{PREFIX}session.html"
        assert open_database("acme", root).manifest.pages == 4
    if step != "crawl":
        monkeypatch.setattr(*STEPS["crawl"], stop)  # which is done
    if step in {"publish", "swap"}:
        monkeypatch.setattr(*STEPS["index"], stop)
    if step not in {"crawl", "cut"}:
        monkeypatch.setattr(*STEPS["cut"], stop)
    assert run(recipe, root).database.manifest.pages == 4 + refreshes
    assert len(list_generations(root)) == 1


@pytest.mark.long
@pytest.mark.parametrize("delay", [0.1, 0.4, 0.8, 1.2])
def test_killed_build_goes_on(recipe: Recipe, tmp_path: Path, delay: float) -> None:
    """A process that is killed at any time leaves what the next one makes whole."""
    root = tmp_path / "docs"
    code = (
        "import sys; from pathlib import Path; from hookwright_documentation.build import build;"
        "from hookwright_documentation.recipe import Recipe;"
        f"build({recipe!r}, print, Path(sys.argv[1]))"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(root)]) as process:
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
    assert run(recipe, root).database.manifest.pages == 4
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_loss_is_asked_about(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A refresh that would lose more than 30 % asks, and a no keeps the old database."""
    root = tmp_path / "docs"
    run(recipe, root)
    for name in ("install", "deploy"):
        (site / f"{name}.html").unlink()
    with pytest.raises(RefusedError, match="2 of 4 pages"):
        run(recipe, root)
    assert open_database("acme", root).manifest.pages == 4
    assert build(recipe, print, root).database.manifest.pages == 2


def test_after_a_no_the_site_is_asked_again(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A site that is whole again after the user said no is taken as it is."""
    root = tmp_path / "docs"
    run(recipe, root)
    (site / "install.html").rename(tmp_path / "kept")
    (site / "deploy.html").rename(tmp_path / "kept too")
    with pytest.raises(RefusedError):
        run(recipe, root)
    write_site(site)
    assert run(recipe, root).database.manifest.pages == 4


def test_source_without_pages_leaves_nothing(recipe: Recipe, tmp_path: Path) -> None:
    """A new database of a source that has nothing leaves no folder behind."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReportedError):
        run(replace(recipe, source=str(tmp_path / "empty")), tmp_path / "docs")
    assert not (tmp_path / "docs" / "acme").exists()


def test_folder_of_something_else_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    """A folder with files of the user is neither built into nor removed."""
    notes = tmp_path / "docs" / "acme" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("mine")
    (tmp_path / "empty").mkdir()
    for attempt in (
        lambda: run(recipe, tmp_path / "docs"),
        lambda: run(replace(recipe, source=str(tmp_path / "empty")), tmp_path / "docs"),
        lambda: remove_database("acme", tmp_path / "docs"),
    ):
        with pytest.raises(RefusedError, match="acme is no documentation database: give another"):
            attempt()
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("fails", [False, True])
def test_files_of_others_in_a_database_stay(recipe: Recipe, tmp_path: Path, *, fails: bool) -> None:
    """A rebuild, a failure and a removal take only what was built."""
    root = tmp_path / "docs"
    run(recipe, root)
    notes = root / "acme" / "mine" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("mine")
    if fails:
        (root / "acme" / CURRENT).unlink()
        (tmp_path / "empty").mkdir()
        with pytest.raises(ReportedError):
            run(replace(recipe, source=str(tmp_path / "empty")), root)
    else:
        run(replace(recipe, license="BSD-3-Clause"), root)
        remove_database("acme", root)
    assert list((root / "acme").iterdir()) == [notes.parent]
    assert notes.read_text() == "mine"


def test_page_that_cannot_be_kept_is_left_out(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page with an invisible character in its title does not keep the others out."""
    convert = hookwright_documentation.cutting.convert

    def convert_one(fetched: FetchedPage, *given: str) -> Page | None:
        page = convert(fetched, *given)
        is_odd = page and page.url.endswith("session.html")
        return replace(page, title="Ses\u200bsion") if page and is_odd else page

    monkeypatch.setattr(hookwright_documentation.cutting, "convert", convert_one)
    built = run(recipe, tmp_path / "docs")
    assert built.database.manifest.pages == 3
    assert "left out 1 of 4 pages with an odd address or title" in built.notes


def test_failed_refresh_keeps_the_old_database(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A refresh of a source that is empty by now fails, and the old database stays."""
    root = tmp_path / "docs"
    run(recipe, root)
    for path in site.iterdir():
        path.unlink()
    with pytest.raises(ReportedError):
        run(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_two_builds_at_once_are_refused(recipe: Recipe, tmp_path: Path) -> None:
    """While another process builds a database, a second build and a removal are refused."""
    root = tmp_path / "docs"
    run(recipe, root)
    with locking(root / "acme"):
        for attempt in (lambda: run(recipe, root), lambda: remove_database("acme", root)):
            with pytest.raises(RefusedError, match="another process is building acme: wait"):
                attempt()
    assert list_names(root) == ["acme"]


def test_damaged_database_is_built_again(recipe: Recipe, tmp_path: Path) -> None:
    """A database whose manifest is broken is built from the recipe beside it."""
    root = tmp_path / "docs"
    folder = run(recipe, root).database.folder
    (folder / "database.json").write_text("{")
    with pytest.raises(ReportedError, match="run hookwright refresh acme"):
        open_database("acme", root)
    assert find_recipe("acme", root) == recipe
    assert run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


@pytest.mark.parametrize("what", ["index/texts.bin", "index/index.json", "pages"])
def test_damaged_files_are_built_again(recipe: Recipe, tmp_path: Path, what: str) -> None:
    """A database whose index or pages are damaged is built again, though its site is as it was."""
    root = tmp_path / "docs"
    folder = run(recipe, root).database.folder
    (folder / what).rename(folder / "gone")
    assert not is_built(recipe, root)
    assert run(recipe, root).is_new
    assert is_built(recipe, root)


def test_damaged_passage_is_built_again(recipe: Recipe, tmp_path: Path) -> None:
    """A database whose passages cannot be read, though the files have their sizes, is mended."""
    root = tmp_path / "docs"
    texts = run(recipe, root).database.index / "texts.bin"
    texts.write_bytes(b"x" * texts.stat().st_size)
    assert run(recipe, root).is_new
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


@pytest.mark.parametrize("reason", ["no pages", "loss", "stopped"])
def test_failed_change_keeps_the_recipe(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """What a database is made of changes with its pages only."""
    root = tmp_path / "docs"
    run(recipe, root)
    topics = {} if reason == "no pages" else {"session": TOPICS["session"]}
    other = replace(recipe, source=str(write_site(tmp_path / "other", topics)), version="3")
    if reason == "stopped":
        monkeypatch.setattr(building, "swap", stop)
    with pytest.raises((ReportedError, StoppedHereError)):
        build(other, print if reason == "stopped" else refuse, root)
    assert find_recipe("acme", root) == recipe
    (open_database("acme", root).folder / "database.json").write_text("{")
    assert find_recipe("acme", root) == recipe


def test_replaced_source_is_told(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A database that another source replaces says so, and that its licence is gone."""
    root = tmp_path / "docs"
    run(recipe, root)
    other = write_site(tmp_path / "other", {"session": TOPICS["session"]})
    built = build(replace(recipe, source=str(other), license=""), print, root)
    assert built.notes == (
        f"replaced 4 pages of {site} by 1 of {other}",
        "the licence was MIT, and is unknown now",
    )


def test_loss_is_told(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    """A refresh that lost much says how much, though the user agreed."""
    root = tmp_path / "docs"
    run(recipe, root)
    for name in ("install", "deploy"):
        (site / f"{name}.html").unlink()
    assert build(recipe, print, root).notes == ("replaced 4 pages by 2",)


def test_damaged_database_remembers_its_last_recipe(recipe: Recipe, tmp_path: Path) -> None:
    """A database that was made anew of another source, and damaged then, is built of that one."""
    root = tmp_path / "docs"
    run(recipe, root)
    other = replace(recipe, source=str(write_site(tmp_path / "other")), version="3")
    (run(other, root).database.folder / "database.json").write_text("{")
    assert find_recipe("acme", root) == other


@pytest.mark.parametrize("text", ["", "[]", '{"recipe": 1}', '{"crawled": 3}', "\0" * 9])
def test_broken_steps_are_forgotten(recipe: Recipe, tmp_path: Path, text: str) -> None:
    """A file of steps that holds anything else makes a build begin anew."""
    root = tmp_path / "docs"
    (root / "acme" / WORK).mkdir(parents=True)
    (root / "acme" / RECIPE).write_text("{}")
    (root / "acme" / WORK / "steps.json").write_text(text)
    assert run(recipe, root).database.manifest.pages == 4


def test_imported_recipe_is_recalled(recipe: Recipe, tmp_path: Path) -> None:
    """A database without its recipe file is refreshed by what its manifest says."""
    root = tmp_path / "docs"
    given = replace(
        recipe,
        version="2.0",
        keywords=("acme", "rocket"),
        description="Acme, which flies rockets",
        domains=("acme.example",),
        exclusions=("blog/",),
    )
    run(given, root)
    (root / "acme" / "recipe.json").unlink()
    assert find_recipe("acme", root) == given


def test_removed_database_is_gone(recipe: Recipe, tmp_path: Path) -> None:
    """A removed database leaves nothing, and a second removal says so."""
    root = tmp_path / "docs"
    run(recipe, root)
    assert (root / "acme" / CURRENT).is_file()
    assert remove_database("acme", root)
    assert not (root / "acme").exists()
    assert not remove_database("acme", root)
