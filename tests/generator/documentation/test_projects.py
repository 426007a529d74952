"""A project preserves the user's additions to a database record."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.answers.disabling import disable
from hookwright.documentation.database_records import build_record
from hookwright.documentation.projects import add_record, list_removed
from hookwright.project.change import create_project
from hookwright.project.current import NAME, find_project
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, open_project
from hookwright.template.store import keep_template
from hookwright_console.errors import MisusedError
from hookwright_documentation.databases import find_root
from hookwright_documentation.recipes.recipe import Recipe

from ...support.fake_documentation import write_database
from ...support.project import GITLAB


@pytest.mark.parametrize(
    ("prefix", "domains"),
    [("", ["mine.example"]), ("https://new.example/", ["new.example", "mine.example"])],
)
def test_domains_follow_the_source(
    kept: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, domains: list[str]
) -> None:
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site")
    old = build_record(recipe, "https://old.example/", "")
    old["domains"].append("mine.example")
    old["description"] = "mine"
    with_old: list[dict[str, Any]] = [*project.databases, old]
    monkeypatch.setattr(type(project), "databases", with_old)
    record = add_record(project, build_record(recipe, prefix, ""), ["old.example"])["databases"][-1]
    assert record["domains"] == domains


@pytest.mark.parametrize("corrected", [{}, {"ambiguous": False}])
def test_corrected_ambiguity_is_kept(
    kept: Path, monkeypatch: pytest.MonkeyPatch, corrected: dict[str, bool]
) -> None:
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site", ambiguous=True)
    new = build_record(recipe, "", "")
    assert add_record(project, new)["databases"][-1]["ambiguous"]
    old = {key: value for key, value in new.items() if key != "ambiguous"} | corrected
    monkeypatch.setattr(type(project), "databases", [*project.databases, old])
    answers = add_record(project, new)
    assert answers["databases"][-1].get("ambiguous") == corrected.get("ambiguous")


def test_record_without_domains_omits_the_field(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site")
    old = build_record(recipe, "https://old.example/", "")
    monkeypatch.setattr(type(project), "databases", [*project.databases, old])
    answers = add_record(project, build_record(recipe, "", ""), ["old.example"])
    assert "domains" not in answers["databases"][-1]


def add_databases(project: Project, *names: str, disabled: bool = True) -> Project:
    records = [build_record(Recipe(name, (name,), "/site"), "", "") for name in names]
    records = [disable(record) for record in records] if disabled else records
    return replace(project, answers={**project.answers, "databases": records, "routes": {}})


def test_records_affected_by_a_removal_are_reported(kept: Path) -> None:
    project = open_project(kept)
    assert list_removed(project) == []
    assert list_removed(add_databases(project, "flask", "acme")) == ["flask", "acme"]
    write_database(find_root())
    assert list_removed(add_databases(project, "flask", "acme")) == []
    assert list_removed(add_databases(project, "flask", "acme"), ["flask"]) == ["acme"]


def test_enabled_records_are_kept(kept: Path) -> None:
    assert list_removed(add_databases(open_project(kept), "acme", disabled=False)) == []


def test_records_of_another_machine_are_kept(kept: Path) -> None:
    project = add_databases(open_project(kept), "acme")
    project.databases[0]["path"] = "/home/other/acme"
    assert list_removed(project) == []


def test_several_installed_projects_need_a_choice(kept: Path, tmp_path: Path) -> None:
    other, usual = tmp_path / "other", Path.home() / NAME
    create_project(other, {"databases": [GITLAB]}, str(keep_template()))
    for folder in (kept, other):
        assert not run_own_installer(open_project(folder)).faults
    with pytest.raises(MisusedError) as refused:
        find_project(None)
    several = f"{NAME} ({kept}) and other ({other}) are installed"
    assert str(refused.value) == f"{several}: choose one with --project DIR"
    assert find_project(other) == open_project(other)
    assert find_project(tmp_path / "new") is None
    assert not run_own_installer(open_project(kept), "--uninstall").faults
    shutil.copytree(kept, usual)
    assert not run_own_installer(open_project(usual)).faults
    project = find_project(None)
    assert project
    assert project.folder == usual
