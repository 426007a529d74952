"""Records are found, added and removed by changing the answers."""

from pathlib import Path
from typing import Any

import pytest

from hookwright.project.reader import Project
from hookwright.project.record_changes import (
    Position,
    add_databases,
    add_routes,
    find_keys,
    list_names,
    move_record,
    remove_records,
)
from hookwright_console.errors import RefusedError

from ...support.project import GITLAB, KUBERNETES, PULL_REQUEST

RUST = {**GITLAB, "name": "rust"}
ORDERED = Project(
    Path("/nowhere"),
    {
        "hooks": ["docsearch", "tool_routing"],
        "databases": [GITLAB, KUBERNETES, RUST],
        "routes": dict.fromkeys(["a", "b", "c"], PULL_REQUEST),
    },
    "",
    "",
)


def build_project(**answers: Any) -> Project:
    return Project(Path("/nowhere"), answers, "", "")


PROJECT = build_project(
    hooks=["docsearch", "tool_routing"],
    databases=[GITLAB, {**KUBERNETES, "name": "kube"}, {**GITLAB, "name": "pr"}],
    routes={"pr": PULL_REQUEST, "other": PULL_REQUEST},
)


def test_databases_are_identified_by_name_or_first_keyword() -> None:
    assert list_names(PROJECT) == ["gitlab", "kube", "pr", "pr", "other"]


def test_added_record_is_appended() -> None:
    new = {**GITLAB, "name": "new"}
    assert add_databases(PROJECT, [new]) == {"databases": [*PROJECT.databases, new]}


def test_first_record_adds_its_hook() -> None:
    project = build_project(hooks=["docsearch"], databases=[GITLAB])
    assert add_routes(project, {"pr": PULL_REQUEST}) == {
        "hooks": ["docsearch", "tool_routing"],
        "routes": {"pr": PULL_REQUEST},
    }


def test_duplicate_name_is_rejected() -> None:
    with pytest.raises(RefusedError, match="the database gitlab exists: choose another name for"):
        add_databases(PROJECT, [GITLAB])
    with pytest.raises(RefusedError, match=r"routes\.pr exists: choose another name for"):
        add_routes(PROJECT, {"pr": PULL_REQUEST})
    changed = {**GITLAB, "path": "/elsewhere"}
    databases = add_databases(PROJECT, [changed], replaces=True)["databases"]
    assert databases == [changed, *PROJECT.databases[1:]]


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("kube", {"databases": [GITLAB, {**GITLAB, "name": "pr"}]}),
        ("other", {"routes": {"pr": PULL_REQUEST}}),
        ("routes.pr", {"routes": {"other": PULL_REQUEST}}),
        ("databases[2]", {"databases": PROJECT.databases[:2]}),
    ],
)
def test_record_is_removed(name: str, left: dict[str, Any]) -> None:
    assert remove_records(PROJECT, [name]) == left


def test_last_record_removes_its_hook() -> None:
    project = build_project(hooks=["docsearch", "tool_routing"], databases=[GITLAB], routes={})
    assert remove_records(project, ["gitlab"]) == {"hooks": ["tool_routing"]}
    with pytest.raises(RefusedError, match="the project's last record"):
        remove_records(build_project(hooks=["docsearch"], databases=[GITLAB]), ["gitlab"])


def test_several_records_are_removed_at_once() -> None:
    assert remove_records(PROJECT, ["gitlab", "other", "databases[0]"]) == {
        "databases": PROJECT.databases[1:],
        "routes": {"pr": PULL_REQUEST},
    }
    with pytest.raises(RefusedError, match="these are all records: to remove"):
        remove_records(PROJECT, ["gitlab", "kube", "databases[2]", "routes.pr", "other"])


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["gitlba"], "no record named 'gitlba': did you mean gitlab?"),
        (["OTHERS"], "no record named 'OTHERS': did you mean other?"),
        (["nix"], "no record named 'nix': hookwright list shows the names"),
        (
            ["kub", "gitlab", "nix", "kub"],
            "no record named 'kub' (did you mean kube?) or 'nix': hookwright list shows the names",
        ),
    ],
)
def test_unknown_names_are_reported_together(names: list[str], line: str) -> None:
    with pytest.raises(RefusedError) as refused:
        find_keys(PROJECT, names)
    assert str(refused.value) == line


def test_ambiguous_name_is_rejected() -> None:
    with pytest.raises(RefusedError) as refused:
        find_keys(PROJECT, ["pr"])
    line = "several records are called pr: name one with 'databases[2]' or routes.pr"
    assert str(refused.value) == line
    assert find_keys(PROJECT, ["databases[2]", "routes.pr"]) == [("databases", 2), ("routes", "pr")]


@pytest.mark.parametrize(
    ("name", "position", "order"),
    [
        ("c", Position(after=False), "cab"),
        ("a", Position(after=True), "bca"),
        ("c", Position(after=False, other="b"), "acb"),
        ("a", Position(after=True, other="b"), "bac"),
        ("a", Position(after=False, other="b"), "abc"),
    ],
)
def test_route_is_moved_to_its_position(name: str, position: Position, order: str) -> None:
    assert list(move_record(ORDERED, name, position)["routes"]) == list(order)


def test_database_is_moved_to_its_position() -> None:
    position = Position(after=False, other="gitlab")
    assert move_record(ORDERED, "rust", position) == {"databases": [RUST, GITLAB, KUBERNETES]}


@pytest.mark.parametrize(
    ("name", "other", "line"),
    [
        ("a", "a", "a cannot be moved next to itself: name another record"),
        ("a", "rust", "rust is a database, not a route: name one of the same kind as a"),
        ("rust", "a", "a is a route, not a database: name one of the same kind as rust"),
        ("a", "rsut", "no record named 'rsut': did you mean rust?"),
        ("rsut", "a", "no record named 'rsut': did you mean rust?"),
    ],
)
def test_impossible_position_is_rejected(name: str, other: str, line: str) -> None:
    with pytest.raises(RefusedError) as refused:
        move_record(ORDERED, name, Position(after=False, other=other))
    assert str(refused.value) == line
