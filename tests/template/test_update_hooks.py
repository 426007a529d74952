"""`copier update` adds and removes hooks and routes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..support.git_repository import (
    copy_repository,
    git,
    git_save,
    start_project,
    update,
    write_data,
)
from ..support.project import GITLAB, KUBERNETES, ROUTES, render
from ..support.rendered_project import (
    FILES,
    LESSON_FILES,
    ROUTING_FILES,
    assert_same,
    assert_silent,
    read_answers,
    read_files,
    read_route_tables,
)

BOTH = "hooks=[docsearch, tool_routing]"
DATABASES = {"databases": [GITLAB, KUBERNETES]}
ROUTE = {"pattern": "^https://a/", "message": "Read /srv/a.", "tool": "Bash|WebFetch"}


@pytest.fixture(scope="session")
def projects(
    started_once: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    stored, started = started_once
    repository = copy_repository(stored, stored.with_name("template"))
    folder = tmp_path_factory.mktemp("projects")
    answered: dict[str, dict[str, Any]] = {
        "routed": {"routes": ROUTES},
        "both": {"routes": ROUTES, **DATABASES},
        "lessons": {"hooks": ["lesson_search"]},
    }
    others = {
        name: start_project(repository, folder / name / "my-hooks", **answers)
        for name, answers in answered.items()
    }
    shutil.rmtree(repository)
    return {"searching": started, **others}


@pytest.fixture
def started_routed(projects: dict[str, Path], repository: Path, tmp_path: Path) -> Path:
    assert repository.exists()
    return copy_repository(projects["routed"], tmp_path / "my-hooks")


@pytest.fixture
def started_both(projects: dict[str, Path], repository: Path, tmp_path: Path) -> Path:
    assert repository.exists()
    return copy_repository(projects["both"], tmp_path / "my-hooks")


@pytest.mark.long
def test_tool_routing_is_added_and_removed(
    projects: dict[str, Path], started: Path, tmp_path: Path
) -> None:
    before = read_files(started)
    data = write_data(tmp_path, routes=ROUTES)
    assert_silent(update(started, "--defaults", "-d", BOTH, "--data-file", data))
    assert set(read_files(started)) == FILES | ROUTING_FILES
    assert_same(started, projects["both"])
    git_save(started)
    update(started, "--skip-answered", "-d", "hooks=[docsearch]")
    assert_same(started, projects["searching"])
    assert read_answers(started).keys().isdisjoint({"routes", "fatigue_limit"})
    after = read_files(started)
    assert json.loads(after.pop(".copier-answers.yml").partition(b"\n")[2]) == json.loads(
        before.pop(".copier-answers.yml").partition(b"\n")[2]
    )
    assert after == before


@pytest.mark.long
def test_docsearch_is_added(
    projects: dict[str, Path], started_routed: Path, tmp_path: Path
) -> None:
    data = write_data(tmp_path, **DATABASES)
    update(started_routed, "--defaults", "-d", BOTH, "--data-file", data)
    assert_same(started_routed, projects["both"])


@pytest.mark.long
def test_data_for_an_absent_hook_is_ignored(started: Path, tmp_path: Path) -> None:
    before = read_files(started)
    output = update(started, "--skip-answered", "--data-file", write_data(tmp_path, routes=ROUTES))
    assert read_files(started) == before
    assert git(started, "status", "--porcelain") == ""
    assert "Data for a hook that this project does not have was left out." in output
    assert "-d 'hooks=[docsearch, tool_routing]'" in output
    assert [line for line in output.splitlines() if len(line) > 80] == []


@pytest.mark.long
def test_databases_for_an_absent_hook_are_ignored(started_routed: Path, tmp_path: Path) -> None:
    before = read_files(started_routed)
    output = update(
        started_routed, "--skip-answered", "--data-file", write_data(tmp_path, **DATABASES)
    )
    assert read_files(started_routed) == before
    assert "Data for a hook that this project does not have was left out." in output


@pytest.mark.long
def test_docsearch_is_removed(projects: dict[str, Path], started_both: Path) -> None:
    update(started_both, "--skip-answered", "-d", "hooks=[tool_routing]")
    assert read_answers(started_both).keys().isdisjoint({"databases", "mcp_servers"})
    assert_same(started_both, projects["routed"])


@pytest.mark.long
def test_lesson_search_is_added_and_removed(
    projects: dict[str, Path], repository: Path, started: Path, tmp_path: Path
) -> None:
    hooks = ["docsearch", "lesson_search"]
    update(started, "--defaults", "-d", f"hooks={json.dumps(hooks)}")
    assert set(read_files(started)) == FILES | LESSON_FILES
    assert_same(started, render(repository, tmp_path / "fresh", hooks=hooks, **DATABASES))
    git_save(started)
    update(started, "--defaults", "-d", "hooks=[docsearch]")
    assert read_answers(started).keys().isdisjoint({"transport", "top_k", "lesson_server_url"})
    assert_same(started, projects["searching"])


@pytest.mark.long
def test_transport_is_changed(projects: dict[str, Path], repository: Path, tmp_path: Path) -> None:
    project = copy_repository(projects["lessons"], tmp_path / "my-hooks")
    for transport in ("http", "command"):
        update(project, "--defaults", "-d", f"transport={transport}", "-d", "top_k=5")
        answers = {"hooks": ["lesson_search"], "transport": transport, "top_k": 5}
        assert_same(project, render(repository, tmp_path / transport, **answers))
        git_save(project)


@pytest.mark.long
def test_answers_for_an_absent_lesson_hook_are_ignored(started: Path) -> None:
    before = read_files(started)
    answers = ("transport=http", "lesson_server_url=http://a", "top_k=3")
    output = update(started, "--defaults", *(word for answer in answers for word in ("-d", answer)))
    assert read_files(started) == before
    assert "Data for a hook that this project does not have was left out." in output


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [
        {"routes": {"a": {**ROUTE, "message": "{{ 1 + 1 }}\n\n  \"'\\"}, **ROUTES, "z": ROUTE}},
        {"routes": {"linear": ROUTES["linear"]}},
        {"fatigue_limit": 3, "record_blocks": True},
    ],
    ids=["more", "fewer", "other-questions"],
)
def test_routes_follow_the_data_file(
    repository: Path, started_both: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    data = write_data(tmp_path, **changed)
    assert_silent(update(started_both, "--skip-answered", "--data-file", data))
    answers = {**DATABASES, "routes": ROUTES, **changed}
    assert [row["name"] for row in read_route_tables(started_both).routes] == [*answers["routes"]]
    assert_same(started_both, render(repository, tmp_path / "fresh", **answers))
