"""doctor reports documentation databases that are missing, unfinished, damaged, old or unused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.doctor.documentation import check_documentation
from hookwright.doctor.finding import Setup, find_setup
from hookwright.doctor.project import check_paths
from hookwright.doctor.tools import check_tools
from hookwright.documentation.database_records import build_record
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project
from hookwright_documentation.build import build
from hookwright_documentation.databases import RECIPE, find_root, write_manifest
from hookwright_documentation.recipes.recipe import Recipe

from ...support.acme_documentation import PREFIX, write_site
from ...support.project import render


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return Recipe("acme", ("acme",), str(write_site(tmp_path / "site")), prefix=PREFIX)


def prepare(*databases: dict[str, Any]) -> Setup:
    return replace(find_setup(None), databases=list(databases))


def check(*databases: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.status, finding.line) for finding in check_documentation(prepare(*databases))]


def test_complete_database_passes(recipe: Recipe) -> None:
    build(recipe, None, print)
    ((status, line),) = check(build_record(recipe, PREFIX, ""))
    assert status == "ok"
    assert line.startswith("acme: 4 pages, ")


def test_unused_database_is_reported(recipe: Recipe) -> None:
    build(recipe, None, print)
    fix = "run hookwright setup acme, or hookwright remove acme"
    assert check() == [("warn", f"no installed hook sends searches to acme: {fix}")]


def test_database_of_another_project_counts_as_used(
    recipe: Recipe, template: Path, tmp_path: Path
) -> None:
    build(recipe, None, print)
    folder = render(template, tmp_path / "mine", databases=[build_record(recipe, PREFIX, "")])
    assert not run_own_installer(open_project(folder)).faults
    ((status, line),) = check()
    assert status == "ok"
    assert line.startswith("acme: 4 pages, ")


def test_missing_source_is_reported(recipe: Recipe) -> None:
    build(recipe, None, print)
    Path(recipe.source).rename(Path(recipe.source).with_name("moved"))
    line = f"acme cannot be refreshed, {recipe.source} is gone"
    expected = ("warn", f"{line}: run hookwright setup acme SOURCE")
    assert check(build_record(recipe, PREFIX, "")) == [expected]


def test_missing_database_is_reported_once(recipe: Recipe) -> None:
    record = build_record(recipe, PREFIX, "")
    ((status, line),) = check(record)
    assert status == "fault"
    assert line == ("acme is missing: run hookwright setup acme SOURCE, or hookwright remove acme")
    assert list(check_paths(prepare(record))) == []
    (tool,) = check_tools(prepare(record), 1, lambda *_: None, starts=False)
    assert tool.line.endswith("hookwright-docs is not configured: run hookwright setup acme")


def test_unfinished_database_is_reported() -> None:
    (find_root() / "acme").mkdir(parents=True)
    (find_root() / "acme" / RECIPE).write_text("{}")
    assert check() == [("warn", "acme is not finished: run hookwright setup acme")]


@pytest.mark.parametrize(("date", "age"), [("2020-01-01", "was crawled "), ("?", "has no date")])
def test_old_database_is_reported(recipe: Recipe, date: str, age: str) -> None:
    database = build(recipe, None, print).database
    write_manifest(replace(database.manifest, crawled=date), database.folder)
    ((status, line),) = check()
    assert status == "warn"
    assert line.startswith(f"acme {age}")
    assert line.endswith(": run hookwright refresh acme")


@pytest.mark.parametrize("what", ["database.json", "index.sqlite", "pages"])
def test_damaged_database_is_reported(recipe: Recipe, what: str) -> None:
    folder = build(recipe, None, print).database.folder
    (folder / what).rename(folder / "gone")
    ((status, line),) = check()
    assert status == "fault"
    assert line.startswith("acme")
    assert "run hookwright refresh acme" in line
