"""A project keeps what the user added to the record of a documentation database."""

from pathlib import Path
from typing import Any

import pytest

from hookwright.documentation.projects import add_record
from hookwright.documentation.records import build_record
from hookwright.project.reader import open_project
from hookwright_documentation.recipe import Recipe


@pytest.mark.parametrize(
    ("prefix", "domains"),
    [("", ["mine.example"]), ("https://new.example/", ["new.example", "mine.example"])],
)
def test_domains_follow_the_source(
    kept: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, domains: list[str]
) -> None:
    """The domains of an earlier source go, and those that the user added stay."""
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site")
    old = build_record(recipe, "https://old.example/", "")
    old["domains"].append("mine.example")
    old["description"] = "mine"
    with_old: list[dict[str, Any]] = [*project.databases, old]
    monkeypatch.setattr(type(project), "databases", with_old)
    record = add_record(project, build_record(recipe, prefix, ""), ["old.example"])["databases"][-1]
    assert record["domains"] == domains


@pytest.mark.parametrize("mended", [{}, {"ambiguous": False}])
def test_mended_keywords_stay(
    kept: Path, monkeypatch: pytest.MonkeyPatch, mended: dict[str, bool]
) -> None:
    """What a recipe says of its keywords counts once; the user may have mended it since."""
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site", ambiguous=True)
    new = build_record(recipe, "", "")
    assert add_record(project, new)["databases"][-1]["ambiguous"]
    old = {key: value for key, value in new.items() if key != "ambiguous"} | mended
    monkeypatch.setattr(type(project), "databases", [*project.databases, old])
    answers = add_record(project, new)
    assert answers["databases"][-1].get("ambiguous") == mended.get("ambiguous")


def test_record_without_domains_has_no_such_field(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record has no empty list of domains."""
    project = open_project(kept)
    recipe = Recipe("acme", ("acme",), "/site")
    old = build_record(recipe, "https://old.example/", "")
    monkeypatch.setattr(type(project), "databases", [*project.databases, old])
    answers = add_record(project, build_record(recipe, "", ""), ["old.example"])
    assert "domains" not in answers["databases"][-1]
