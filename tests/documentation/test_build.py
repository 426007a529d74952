"""A database is built in resumable steps, and searches only ever see complete data."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.build import build, find_old
from hookwright_documentation.databases import (
    CURRENT,
    list_names,
    locking,
    open_database,
    remove_database,
)
from hookwright_documentation.recipes.recipe import Recipe

from ..support.acme_database import find, is_built, list_generations, run
from ..support.acme_documentation import PREFIX, TOPICS, write_site


def test_database_contains_the_site(recipe: Recipe, tmp_path: Path) -> None:
    built = run(recipe, tmp_path / "docs")
    manifest = built.database.manifest
    assert (manifest.pages, manifest.prefix, manifest.license) == (4, PREFIX, "MIT")
    assert manifest.title == "acme documentation"
    assert find(tmp_path / "docs", "signed cookies") == f"{PREFIX}session.html"
    assert is_built(recipe, tmp_path / "docs")
    assert not is_built(replace(recipe, max_pages=3), tmp_path / "docs")


def test_recipe_can_exclude_pages(recipe: Recipe, tmp_path: Path) -> None:
    built = run(replace(recipe, exclusions=("deploy",), description="Acme"), tmp_path / "docs")
    assert (built.database.manifest.pages, built.database.manifest.title) == (3, "Acme")


def test_oversized_pages_are_counted(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    (site / "large.html").write_text("<h1>Large</h1>" + "<p>word" * 800_000)
    built = run(recipe, tmp_path / "docs")
    assert built.database.manifest.pages == 4
    assert f"1 page left out, such as {PREFIX}large.html: over 5 MB" in built.notes


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_folder_with_an_undecodable_name_is_indexed(tmp_path: Path) -> None:
    site = write_site(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")))
    built = run(Recipe("acme", ("acme",), str(site)), tmp_path / "docs")
    assert (built.database.manifest.pages, built.database.manifest.source) == (4, str(site))


def test_too_many_passages_are_rejected(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookwright_documentation.build.MAX_PASSAGES", 3)
    way_out = "over 3 passages: narrow it with hookwright setup acme --prefix or --max-pages"
    with pytest.raises(ReportedError, match=way_out):
        run(recipe, tmp_path / "docs")


def test_unchanged_site_changes_nothing(recipe: Recipe, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    before = {path: path.stat().st_mtime_ns for path in (root / "acme").rglob("*.md")}
    built = run(recipe, root)
    assert not built.is_new
    assert {path: path.stat().st_mtime_ns for path in (root / "acme").rglob("*.md")} == before


def test_changed_page_creates_a_generation(recipe: Recipe, site: Path, tmp_path: Path) -> None:
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


def test_loss_needs_confirmation(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    for name in ("install", "deploy"):
        (site / f"{name}.html").unlink()
    with pytest.raises(RefusedError, match="2 of 4 pages"):
        run(recipe, root)
    assert open_database("acme", root).manifest.pages == 4
    assert build(recipe, find_old("acme", root), print, root).database.manifest.pages == 2


def test_declined_build_crawls_again(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    (site / "install.html").rename(tmp_path / "kept")
    (site / "deploy.html").rename(tmp_path / "kept too")
    with pytest.raises(RefusedError):
        run(recipe, root)
    write_site(site)
    assert run(recipe, root).database.manifest.pages == 4


def test_source_without_pages_leaves_nothing(recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReportedError):
        run(replace(recipe, source=str(tmp_path / "empty")), tmp_path / "docs")
    assert not (tmp_path / "docs" / "acme").exists()


def test_unrelated_folder_is_rejected(recipe: Recipe, tmp_path: Path) -> None:
    notes = tmp_path / "docs" / "acme" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("mine")
    (tmp_path / "empty").mkdir()
    for attempt in (
        lambda: run(recipe, tmp_path / "docs"),
        lambda: run(replace(recipe, source=str(tmp_path / "empty")), tmp_path / "docs"),
        lambda: remove_database("acme", tmp_path / "docs"),
    ):
        with pytest.raises(RefusedError, match="acme is not a documentation database: use"):
            attempt()
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("fails", [False, True])
def test_foreign_files_in_a_database_are_kept(
    recipe: Recipe, tmp_path: Path, *, fails: bool
) -> None:
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


def test_unconvertible_page_is_skipped(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    (site / "empty.html").write_text("<!-- nothing -->")
    (site / "more.html").write_text("<?php include 'more'; ?>")
    built = run(recipe, root)
    assert built.database.manifest.pages == 4
    assert built.notes == (f"2 pages left out, such as {PREFIX}empty.html: no text in it",)


def test_page_with_an_unusual_address_is_skipped(
    recipe: Recipe, site: Path, tmp_path: Path
) -> None:
    folder = site.joinpath(*["\u00e9" * 120] * 6)
    folder.mkdir(parents=True)
    (site / "install.html").rename(folder / "install.html")
    (site / "deploy.html").write_text("<!doctype html>")
    built = run(recipe, tmp_path / "docs")
    assert built.database.manifest.pages == 2
    (note,) = built.notes
    assert note.startswith("2 pages left out, such as ")
    assert note.endswith(": an invalid address or title")


def test_failed_build_crawls_again(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    gone = [site / f"{name}.html" for name in ("install", "deploy")]
    for path in gone:
        path.rename(tmp_path / path.name)

    def fail(_: object) -> None:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - which one does not matter
        build(recipe, find_old("acme", root), fail, root)
    for path in gone:
        (tmp_path / path.name).rename(path)
    (site / "session.html").unlink()
    assert run(recipe, root).database.manifest.pages == 3


def test_failed_refresh_keeps_the_old_database(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    for path in site.iterdir():
        path.unlink()
    with pytest.raises(ReportedError):
        run(recipe, root)
    assert find(root, "signed cookies") == f"{PREFIX}session.html"


def test_concurrent_builds_are_rejected(recipe: Recipe, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    with locking(root / "acme"):
        for attempt in (lambda: run(recipe, root), lambda: remove_database("acme", root)):
            with pytest.raises(RefusedError, match="another process is building acme: wait"):
                attempt()
    assert list_names(root) == ["acme"]


def test_replaced_source_is_reported(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    other = write_site(tmp_path / "other", {"session": TOPICS["session"]})
    changed = replace(recipe, source=str(other), license="")
    built = build(changed, find_old("acme", root), print, root)
    assert built.notes == (
        f"replaced 4 pages of {site} with 1 of {other}",
        "the licence changed from MIT to unknown",
    )


def test_loss_is_reported(recipe: Recipe, site: Path, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    for name in ("install", "deploy"):
        (site / f"{name}.html").unlink()
    assert build(recipe, find_old("acme", root), print, root).notes == ("replaced 4 pages with 2",)


def test_removed_database_is_deleted(recipe: Recipe, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    run(recipe, root)
    assert (root / "acme" / CURRENT).is_file()
    assert remove_database("acme", root)
    assert not (root / "acme").exists()
    assert not remove_database("acme", root)
