"""An imported archive is untrusted: apart from its pages, almost nothing is imported."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.build import build, find_old, read_origin
from hookwright_documentation.databases import find_database_folder, open_database
from hookwright_documentation.recipes.recipe import Recipe, recall_recipe
from hookwright_documentation.sharing.archive import pack
from hookwright_documentation.sharing.building import (
    build_shared,
    choose_recipe,
    compare,
    list_differences,
)
from hookwright_documentation.sharing.export import share_addresses
from hookwright_documentation.sharing.references import Pin, parse_reference, read_pin

from ...support.acme_documentation import PREFIX
from ...support.shared_archives import FOUR, RECIPE, list_files, make, make_page, read, take


@pytest.mark.parametrize("field", ["source", "prefix"])
def test_private_address_is_dropped(tmp_path: Path, field: str) -> None:
    private = "http://169.254.169.254/latest/"
    addresses = {"source": RECIPE.source, "prefix": "", field: private}
    recipe = replace(RECIPE, source=addresses["source"], prefix=addresses["prefix"])
    archive = read(pack(list_files(recipe=recipe)))
    chosen, dropped = choose_recipe(archive, "acme", find_old("acme", tmp_path))
    assert (chosen.source, chosen.prefix, dropped) == ("", "", (private,))
    assert build_shared(chosen, archive, {}, tmp_path).database.manifest.pages == 4


@pytest.mark.parametrize(
    "source",
    [
        *("git+https://10.0.0.1/x.git", "git+https://nas.local/x.git", "git+ssh://me@x.example/y"),
        *(
            "git+/home/me/x",
            "git+file:///home/me/x",
            "python:acme",
            "/home/me/x",
            "file:///home/me",
        ),
    ],
)
def test_other_kind_of_source_is_dropped(tmp_path: Path, source: str) -> None:
    archive = read(pack(list_files(recipe=replace(RECIPE, source=source))))
    chosen, dropped = choose_recipe(archive, "acme", find_old("acme", tmp_path))
    assert (chosen.source, chosen.python, dropped) == ("", "", (source,))


def test_repository_folder_is_imported(tmp_path: Path) -> None:
    source = "https://git.acme.example/docs.git"
    notes: list[str] = []
    recipe = share_addresses(replace(RECIPE, source=source, prefix="guide/"), notes)
    chosen, dropped = choose_recipe(
        read(pack(list_files(recipe=recipe))), "acme", find_old("acme", tmp_path)
    )
    assert (chosen.source, chosen.prefix, dropped, notes) == (source, "guide/", (), [])
    local = replace(RECIPE, source="git+/home/me/docs", prefix="guide/")
    assert share_addresses(local, notes).prefix == ""


def test_private_domain_is_dropped(tmp_path: Path) -> None:
    domains = ("acme.example", "nas.local", "10.0.0.1", "localhost", "a.example/x", "me@b.example")
    archive = read(pack(list_files(recipe=replace(RECIPE, domains=domains))))
    chosen, dropped = choose_recipe(archive, "acme", find_old("acme", tmp_path))
    assert (chosen.source, chosen.domains) == (RECIPE.source, domains[:1])
    assert dropped == domains[1:]


def test_archive_cannot_reach_the_intranet(tmp_path: Path) -> None:
    archive = read(pack(list_files()))
    chosen, _ = choose_recipe(archive, "acme", find_old("acme", tmp_path))
    manifest = build_shared(chosen, archive, {}, tmp_path).database.manifest
    refreshed = recall_recipe(manifest)
    assert refreshed == chosen
    assert refreshed.crawl_options.is_strangers
    assert not RECIPE.crawl_options.is_strangers


@pytest.mark.parametrize("keyword", ["the", "..."])
def test_catch_all_keyword_is_rejected(tmp_path: Path, keyword: str) -> None:
    recipe = replace(RECIPE, keywords=("acme", keyword))
    archive = read(pack(list_files(recipe=recipe)))
    with pytest.raises(RefusedError, match="the archive of acme has the keyword"):
        choose_recipe(archive, "acme", find_old("acme", tmp_path))


def test_archive_cannot_choose_the_engine(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path, "rocket")
    path = database.folder / "database.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"engine": "leann"}))
    chosen, _ = choose_recipe(read(pack(list_files())), "rocket", find_old("rocket", tmp_path))
    assert (chosen.name, chosen.engine) == ("rocket", "leann")


@pytest.mark.parametrize("source", ["", "http://10.0.0.1/"])
def test_user_source_is_kept(site: Path, tmp_path: Path, source: str) -> None:
    own = Recipe("acme", ("acme",), str(site), prefix=PREFIX, max_pages=9)
    make(own, tmp_path)
    archive = read(pack(list_files(recipe=replace(RECIPE, source=source))))
    chosen, _ = choose_recipe(archive, "acme", find_old("acme", tmp_path))
    assert (chosen.source, chosen.prefix, chosen.max_pages) == (str(site), PREFIX, 9)
    assert not chosen.is_strangers
    build_shared(chosen, archive, {}, tmp_path)
    assert choose_recipe(archive, "acme", find_old("acme", tmp_path))[0] == chosen
    assert build(chosen, None, lambda _: None, tmp_path).database.manifest.source == str(site)


def test_source_from_another_archive_is_replaced(tmp_path: Path) -> None:
    take(pack(list_files()), tmp_path)
    archive = read(pack(list_files(recipe=replace(RECIPE, source=""))))
    assert choose_recipe(archive, "acme", find_old("acme", tmp_path))[0].source == ""


def test_changes_are_compared(tmp_path: Path) -> None:
    database = take(pack(list_files()), tmp_path)
    assert not compare(database, FOUR)
    later = replace(FOUR[1], crawled="2030-01-01")
    changed = replace(FOUR[2], text="# New\n")
    compared = compare(database, (later, changed, FOUR[3], make_page("new")))
    names = [
        [url.rpartition("/")[2] for url in urls]
        for urls in (compared["added"], compared["changed"], compared["removed"])
    ]
    assert names == [["new"], ["test"], ["deploy"]]
    assert list_differences(compared)[0] == "1 page added: https://docs.acme.example/new"


def test_origin_and_pin_are_remembered(tmp_path: Path) -> None:
    archive = read(pack(list_files()))
    pin = Pin(parse_reference("127.0.0.1:5000/acme/docs:1"), "sha256:" + "0" * 64)
    database = build_shared(RECIPE, archive, pin.export(), tmp_path).database
    assert read_origin(database)["archive"] == archive.sha256
    assert read_pin("acme", tmp_path) == pin
    (database.folder / "database.json").unlink()
    assert read_pin("acme", tmp_path) == pin
    assert read_pin("other", tmp_path) is None


def test_failed_import_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = read(pack(list_files()))
    fail_to_index(monkeypatch)
    with pytest.raises(ReportedError):
        build_shared(RECIPE, archive, {}, tmp_path)
    assert not find_database_folder("acme", tmp_path).exists()
    monkeypatch.undo()
    before = build_shared(RECIPE, archive, {}, tmp_path).database
    fail_to_index(monkeypatch)
    with pytest.raises(ReportedError):
        build_shared(RECIPE, archive, {}, tmp_path)
    assert open_database("acme", tmp_path) == before


def test_too_many_passages_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookwright_documentation.build.MAX_PASSAGES", 3)
    with pytest.raises(ReportedError, match="acme has over 3 passages: ask for a smaller one"):
        take(pack(list_files()), tmp_path)
    assert not find_database_folder("acme", tmp_path).exists()


def fail_to_index(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ReportedError("the disk is full")

    monkeypatch.setattr("hookwright_documentation.index.build_index", fail)
