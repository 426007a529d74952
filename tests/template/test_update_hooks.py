"""A project gains and loses hooks, and routes, through `copier update`."""

import json
from pathlib import Path
from typing import Any

import pytest

from project import GITLAB, KUBERNETES, ROUTES
from rendered import (
    FILES,
    LESSON_FILES,
    ROUTING_FILES,
    assert_same,
    read_answers,
    read_files,
    read_route_tables,
)
from repository import git, git_save, start_project, update, write_data

BOTH = "hooks=[docsearch, tool_routing]"
DATABASES = {"databases": [GITLAB, KUBERNETES]}
ROUTE = {"pattern": "^https://a/", "message": "Read /srv/a.", "tool": "Bash|WebFetch"}


@pytest.fixture
def started_routed(repository: Path, tmp_path: Path) -> Path:
    """Return a committed project of that repository with three routes and no databases."""
    return start_project(repository, tmp_path / "my-hooks", routes=ROUTES)


@pytest.fixture
def started_both(repository: Path, tmp_path: Path) -> Path:
    """Return a committed project of that repository with both hooks."""
    return start_project(repository, tmp_path / "my-hooks", routes=ROUTES, **DATABASES)


def test_tool_routing_is_added(repository: Path, started: Path, tmp_path: Path) -> None:
    """One command adds the routes to a project of databases, as if both had been asked for."""
    data = write_data(tmp_path, routes=ROUTES)
    update(started, "--defaults", "-d", BOTH, "--data-file", data)
    fresh = start_project(repository, tmp_path / "fresh", routes=ROUTES, **DATABASES)
    assert_same(started, fresh)


def test_docsearch_is_added(repository: Path, started_routed: Path, tmp_path: Path) -> None:
    """One command adds the databases to a project of routes, as if both had been asked for."""
    data = write_data(tmp_path, **DATABASES)
    update(started_routed, "--defaults", "-d", BOTH, "--data-file", data)
    fresh = start_project(repository, tmp_path / "fresh", routes=ROUTES, **DATABASES)
    assert_same(started_routed, fresh)


def test_data_of_a_hook_that_is_not_there(started: Path, tmp_path: Path) -> None:
    """Routes for a project without tool_routing change no file; the closing message says so."""
    before = read_files(started)
    told = update(started, "--skip-answered", "--data-file", write_data(tmp_path, routes=ROUTES))
    assert read_files(started) == before
    assert git(started, "status", "--porcelain") == ""
    assert "Data for a hook that this project does not have was left out." in told
    assert "-d 'hooks=[docsearch, tool_routing, lesson_search]'" in told


def test_databases_of_a_hook_that_is_not_there(started_routed: Path, tmp_path: Path) -> None:
    """Databases for a project without docsearch change no file; the closing message says so."""
    before = read_files(started_routed)
    told = update(
        started_routed, "--skip-answered", "--data-file", write_data(tmp_path, **DATABASES)
    )
    assert read_files(started_routed) == before
    assert "Data for a hook that this project does not have was left out." in told


@pytest.mark.parametrize(
    ("project", "options"),
    [
        ("started", []),
        ("started", ["--defaults", "-d", BOTH, "--data-file", "../answers.yml"]),
        ("started_both", []),
        ("started_both", ["--data-file", "../answers.yml"]),
    ],
)
def test_message_is_silent_of_hooks_that_are_there(
    request: pytest.FixtureRequest, tmp_path: Path, project: str, options: list[str]
) -> None:
    """Where each hook of the data is there, the closing message has nothing to say of that."""
    write_data(tmp_path, routes=ROUTES)
    told = update(request.getfixturevalue(project), "--skip-answered", *options)
    assert "was left out" not in told
    assert "python3 install.py" in told


def test_tool_routing_is_removed(repository: Path, started_both: Path, tmp_path: Path) -> None:
    """A project without its routes is what it would be without them: no file or answer stays."""
    update(started_both, "--skip-answered", "-d", "hooks=[docsearch]")
    assert set(read_files(started_both)) == FILES
    answers = read_answers(started_both)
    assert answers.keys().isdisjoint({"routes", "fatigue_limit"})
    assert_same(started_both, start_project(repository, tmp_path / "fresh", **DATABASES))


def test_docsearch_is_removed(repository: Path, started_both: Path, tmp_path: Path) -> None:
    """A project without its databases is what it would be without them."""
    update(started_both, "--skip-answered", "-d", "hooks=[tool_routing]")
    assert read_answers(started_both).keys().isdisjoint({"databases", "mcp_servers"})
    assert_same(started_both, start_project(repository, tmp_path / "fresh", routes=ROUTES))


def test_hook_that_was_added_is_removed_again(started: Path, tmp_path: Path) -> None:
    """A project that gains a hook and loses it is byte for byte the one it was."""
    before = read_files(started)
    data = write_data(tmp_path, routes=ROUTES)
    update(started, "--defaults", "-d", BOTH, "--data-file", data)
    assert set(read_files(started)) == FILES | ROUTING_FILES
    git_save(started)
    update(started, "--skip-answered", "-d", "hooks=[docsearch]")
    after = read_files(started)
    assert json.loads(after.pop(".copier-answers.yml").partition(b"\n")[2]) == json.loads(
        before.pop(".copier-answers.yml").partition(b"\n")[2]
    )
    assert after == before


def test_lesson_search_is_added_and_removed(
    repository: Path, started: Path, tmp_path: Path
) -> None:
    """A project gains the hook by its name alone, is as a fresh one, and loses it again."""
    hooks = ["docsearch", "lesson_search"]
    update(started, "--defaults", "-d", f"hooks={json.dumps(hooks)}")
    assert set(read_files(started)) == FILES | LESSON_FILES
    fresh = start_project(repository, tmp_path / "fresh", hooks=hooks, **DATABASES)
    assert_same(started, fresh)
    git_save(started)
    update(started, "--defaults", "-d", "hooks=[docsearch]")
    assert read_answers(started).keys().isdisjoint({"transport", "top_k", "lesson_server_url"})
    assert_same(started, start_project(repository, tmp_path / "before", **DATABASES))


def test_transport_is_changed(repository: Path, tmp_path: Path) -> None:
    """With the other transport the hook goes, with the former it comes back."""
    project = start_project(repository, tmp_path / "my-hooks", hooks=["lesson_search"])
    for transport in ("http", "command"):
        update(project, "--defaults", "-d", f"transport={transport}", "-d", "top_k=5")
        answers = {"hooks": ["lesson_search"], "transport": transport, "top_k": 5}
        assert_same(project, start_project(repository, tmp_path / transport, **answers))
        git_save(project)


@pytest.mark.parametrize("data", ["transport=http", "lesson_server_url=http://a", "top_k=3"])
def test_answer_for_lessons_that_are_not_there(started: Path, data: str) -> None:
    """An answer for the hook in a project without it changes no file; the message says so."""
    before = read_files(started)
    told = update(started, "--defaults", "-d", data)
    assert read_files(started) == before
    assert "Data for a hook that this project does not have was left out." in told


@pytest.mark.parametrize(
    "changed",
    [
        {"routes": {**ROUTES, "a": ROUTE}},
        {"routes": {"linear": ROUTES["linear"]}},
        {"routes": {"a": {**ROUTE, "message": "{{ 1 + 1 }}\n\n  \"'\\"}, **ROUTES}},
        {"fatigue_limit": 3, "record_blocks": True},
    ],
    ids=["more", "fewer", "odd", "other-questions"],
)
def test_routes_follow_the_data_file(
    repository: Path, started_both: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    """The routes in a data file take the place of all; the result equals a fresh project."""
    update(started_both, "--skip-answered", "--data-file", write_data(tmp_path, **changed))
    answers = {**DATABASES, "routes": ROUTES, **changed}
    assert [row["name"] for row in read_route_tables(started_both).routes] == [*answers["routes"]]
    assert_same(started_both, start_project(repository, tmp_path / "fresh", **answers))
