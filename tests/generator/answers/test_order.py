"""A record goes before or after another, or to an end."""

from pathlib import Path

import pytest

from hookwright.answers.order import Position, move_record, place_route
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError

from ...support.project import GITLAB, KUBERNETES, PULL_REQUEST

RUST = {**GITLAB, "name": "rust"}
PROJECT = Project(
    Path("/nowhere"),
    {
        "hooks": ["docsearch", "tool_routing"],
        "databases": [GITLAB, KUBERNETES, RUST],
        "routes": dict.fromkeys(["a", "b", "c"], PULL_REQUEST),
    },
    "",
    "",
)


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
def test_route_goes_to_its_place(name: str, position: Position, order: str) -> None:
    assert list(move_record(PROJECT, name, position)["routes"]) == list(order)


def test_database_goes_to_its_place() -> None:
    position = Position(after=False, other="gitlab")
    assert move_record(PROJECT, "rust", position) == {"databases": [RUST, GITLAB, KUBERNETES]}


@pytest.mark.parametrize(
    ("name", "other", "line"),
    [
        ("a", "a", "a cannot go beside itself: name another record"),
        ("a", "rust", "rust is a database, not a route: name one of the same kind as a"),
        ("rust", "a", "a is a route, not a database: name one of the same kind as rust"),
        ("a", "rsut", "no record named 'rsut': did you mean rust?"),
        ("rsut", "a", "no record named 'rsut': did you mean rust?"),
    ],
)
def test_impossible_place_is_refused(name: str, other: str, line: str) -> None:
    with pytest.raises(RefusedError) as refused:
        move_record(PROJECT, name, Position(after=False, other=other))
    assert str(refused.value) == line


def test_new_route_goes_before_a_route() -> None:
    routes = {**PROJECT.routes, "new": PULL_REQUEST}
    placed = place_route(PROJECT, routes, "new", Position(after=False, other="b"))
    assert list(placed) == ["a", "new", "b", "c"]
    with pytest.raises(RefusedError, match="rust is a database, not a route: name a route"):
        place_route(PROJECT, routes, "new", Position(after=False, other="rust"))
