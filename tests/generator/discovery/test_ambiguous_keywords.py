"""Keywords with another meaning, such as ordinary words and short keywords, are detected."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from hookwright.answers.yaml_files import read_document
from hookwright.discovery.ambiguous_keywords import (
    explain_keywords,
    explain_weighed,
    find_ambiguous,
    list_weighed,
    read_names,
    write_sample,
)
from hookwright.project.answers_text import write_record
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import render_hook
from hookwright.template.store import find_template, read_template

from ...support.command_line import CommandLine
from ...support.project import GITLAB, search_event

NOTE = (
    "swift is also an ordinary word: it counts only if the rest of a search is about the "
    "technology; ambiguous: false switches that off"
)
ADDED = ("--path", "s", "--tool", "Grep", "--description", "Swift", "--yes")


def find(*keywords: str, **fields: object) -> list[str]:
    return [
        finding.keyword for finding in find_ambiguous([{**GITLAB, "keywords": keywords, **fields}])
    ]


def test_short_keywords_are_found() -> None:
    (ambiguous,) = find_ambiguous([{**GITLAB, "keywords": ["gl", "k8s"], "name": "our git"}])
    assert (ambiguous.number, ambiguous.keyword, ambiguous.mending) == (
        0,
        "gl",
        {"ambiguous": True},
    )
    assert ambiguous.advice == (
        "our git: 'gl' is also short for other things: if it denies other searches, "
        "run hookwright edit 'our git' and add ambiguous: true"
    )


def test_keywords_weighed_by_the_hook_are_not_reported() -> None:
    assert find("go", "Go", "next", "golang", "gitlab") == []
    assert find("gl", **{"with": ["gitlab"]}) == find("gl", ambiguous=False) == []
    assert find("gl", unless=["karts"]) == ["gl"]


def test_unweighed_ordinary_names_are_found() -> None:
    (ambiguous,) = find_ambiguous([{**GITLAB, "keywords": ["Click", "pallets"], "name": "click"}])
    assert ambiguous.advice.startswith(
        "click: 'Click' is also an ordinary word: if it denies other"
    )
    assert find("click", ambiguous=True) == find("click", **{"with": ["pallets"]}) == []
    (line,) = explain_keywords({"keywords": ["click", "golang"]})
    assert line.startswith("click is also an ordinary word and counts in every search: with")
    assert len(explain_keywords({"keywords": ["click", "go"]})) == 2
    assert explain_keywords({"keywords": ["click"], "ambiguous": True}) == []


@pytest.mark.parametrize(
    ("fields", "weighed"),
    [
        ({}, ["Go", "rust"]),
        ({"unless": ["karts"]}, ["Go", "rust"]),
        ({"with": ["golang"]}, []),
        ({"ambiguous": False}, []),
        ({"ambiguous": True}, ["Go", "golang", "rust"]),
    ],
)
def test_weighed_keywords_match_the_list(fields: dict[str, object], weighed: list[str]) -> None:
    assert list_weighed({"keywords": ["Go", "golang", "rust"], **fields}) == weighed


def test_several_ordinary_words_share_one_line() -> None:
    record = {"keywords": ["go", "golang", "rust"]}
    assert explain_weighed(record).startswith("go and rust are also ordinary words: they count")
    assert explain_weighed({**record, "ambiguous": True}) == ""
    assert explain_weighed({"keywords": ["golang", "gl"]}) == ""


def test_samples_are_denied(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {**GITLAB, "keywords": [name], "name": name} for name in read_names()
    ]
    records += [
        {**GITLAB, "keywords": ["atlas"], "name": "atlas", "ambiguous": True},
        {**GITLAB, "keywords": ["next"], "name": "with", "with": ["server"]},
    ]
    script = render_hook(
        "docsearch", {"project_name": "p", "hooks": ["docsearch"], "databases": records}
    )
    assert script
    (tmp_path / "hook.py").write_bytes(script)
    decide = runpy.run_path(str(tmp_path / "hook.py"))["decide"]
    for number, record in enumerate(records):
        trace: list[Any] = []
        query = f"how do I use {write_sample(record)}"
        decide(json.dumps(search_event(query)).encode(), trace)
        assert number in [index for index, outcome, *_ in trace if outcome == "named"], query


def test_list_ships_with_the_template() -> None:
    assert "generator/ambiguous.json" in read_template(find_template())


def test_ordinary_word_is_reported_when_added(hookwright_line: CommandLine, kept: Path) -> None:
    for words, errors, shown in (
        (("swift",), f"hookwright: {NOTE}\n", "+   - swift"),
        (("swift", "--no-ambiguous"), "", "+ ambiguous: false"),
        (("swift", "--with", "ios"), "", "+   - ios"),
        (("tf",), "", "+   - tf"),
    ):
        added = ("add", "database", "--keyword", *words, *ADDED, "--dry-run", "--project", kept)
        completed = hookwright_line.run(*added)
        assert (completed.code, completed.errors) == (0, errors)
        assert shown in completed.output


def test_edited_record_reports_searches_denied_by_an_ordinary_word() -> None:
    go = {"keywords": ["go"], "path": "/docs", "mcp_tool_name": "t", "description": "the docs"}
    project = Project(Path("/p"), {"project_name": "p", "databases": [go]}, "", "")
    text = write_record(project, ("databases", 0), Path("/schema.json"))
    assert "# go is also an ordinary word: it counts only if " in text
    assert read_document(text).value == {"databases": [go]}
