"""Put the records of a project into another order, which decides between routes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hookwright.answers.records import find_key, list_keys
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError

One = TypeVar("One", bound=str | int)


@dataclass(frozen=True)
class Position:
    """Where a record goes.

    Args:
        after: Whether it goes after the other record, or to the end, instead of before.
        other: The name of the other record; "" for the first or the last place.

    """

    after: bool
    other: str = ""


def move_record(project: Project, name: str, position: Position) -> dict[str, Any]:
    """Return the answers that change when a record goes to another place.

    Args:
        project: The project.
        name: What the record is called.
        position: Where it goes.

    Raises:
        RefusedError: A name is unknown, or that of a record of the other kind or the same one.

    """
    question, moved = key = find_key(project, name)
    other = find_key(project, position.other) if position.other else None
    if other == key:
        raise RefusedError(f"{name} cannot go beside itself: name another record")
    if other and other[0] != question:
        kinds = "a database, not a route" if question == "routes" else "a route, not a database"
        raise RefusedError(f"{position.other} is {kinds}: name one of the same kind as {name}")
    keys = [number for one, number in list_keys(project) if one == question]
    order = arrange(keys, moved, other[1] if other else None, after=position.after)
    if question == "routes":
        return {"routes": {str(route): project.routes[str(route)] for route in order}}
    return {"databases": [project.databases[int(number)] for number in order]}


def place_route(
    project: Project, routes: Mapping[str, Any], name: str, position: Position
) -> dict[str, Any]:
    """Return routes with one of them at its place.

    Args:
        project: The project, which has the other routes.
        routes: All the routes.
        name: The one that goes to its place.
        position: Where that is.

    Raises:
        RefusedError: The route that it goes before is unknown.

    """
    other = None
    if position.other:
        question, other = find_key(project, position.other)
        if question != "routes":
            raise RefusedError(f"{position.other} is a database, not a route: name a route")
    order = arrange(list(routes), name, other, after=position.after)
    return {str(route): routes[str(route)] for route in order}


def arrange(keys: Sequence[One], moved: One, other: One | None, *, after: bool) -> list[One]:
    rest = [key for key in keys if key != moved]
    place = rest.index(other) + after if other is not None else len(rest) * after
    return [*rest[:place], moved, *rest[place:]]
