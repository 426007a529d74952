"""The examples are valid answers, and the rendered example is up to date."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from examples.refresh import RENDERED, render_example
from hookwright.discovery.ambiguous_keywords import write_sample

from ..support.generated_tests import run_lean
from ..support.project import ROOT, render, run_hook, search_event
from ..support.rendered_project import read_route_tables

EXAMPLES = ROOT / "examples"
ROUTES = sorted(EXAMPLES.glob("routes/*.yml"))
RECORDED = EXAMPLES / "recorded_lessons.json"  # not an answers file
ANSWERS = sorted({*EXAMPLES.glob("*.yml"), *EXAMPLES.glob("*.json"), *ROUTES} - {RECORDED})


def read_tree(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    left = {"__pycache__", ".pytest_cache"}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if not left & set(path.parts)
    }


def read_routes(*paths: Path) -> dict[str, Any]:
    records = [yaml.safe_load(path.read_text("utf-8"))["routes"] for path in paths]
    routes = {name: route for record in records for name, route in record.items()}
    assert len(routes) == sum(map(len, records))
    return routes


@pytest.mark.long
@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.name)
def test_example_renders(template: Path, tmp_path: Path, config: Path, path: Path) -> None:
    answers = yaml.safe_load(path.read_text("utf-8"))
    project = render(template, tmp_path / "project", **answers)
    databases = answers.get("databases", ())
    script = project / "hooks" / "docsearch.py"
    hook = runpy.run_path(str(script)) if databases else {}
    for number, database in enumerate(databases):
        keywords = database["keywords"]
        queries = [write_sample({**database, "keywords": [keyword]}) for keyword in keywords]
        answer = run_hook(script, search_event(queries[0]), config)
        assert f"for {database['description']}" in answer.output["additionalContext"]
        for query in queries:
            named = hook["match_keywords"](query, [])
            assert number in {match[0] for match in named}, query


def test_ready_routes_are_tested_quickly_and_do_not_conflict(
    template: Path, tmp_path: Path
) -> None:
    routes = read_routes(*ROUTES)
    for route in routes.values():
        assert {test["expect"] for test in route["tests"]} == {"block", "allow"}
    project = render(template, tmp_path / "project", routes=routes)
    rows = read_route_tables(project).routes
    assert [row["name"] for row in rows if len(row["contains"]) < 9] == []
    done = run_lean(project)
    assert done.returncode == 0, done.stdout


def test_rendered_example_is_up_to_date(tmp_path: Path) -> None:
    if read_tree(render_example(tmp_path / "project")) != read_tree(RENDERED):
        pytest.fail("examples/rendered/ is out of step: run `make examples`", pytrace=False)


def test_rendered_example_contains_no_local_path() -> None:
    _, _, answers = (RENDERED / ".copier-answers.yml").read_text("utf-8").partition("\n")
    assert not [key for key in json.loads(answers) if key.startswith("_")]
