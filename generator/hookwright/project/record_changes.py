"""Find a project's records by name, and plan the resulting changes to the answers."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hookwright.answers.schema import QUESTIONS, name_database
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError
from hookwright_console.text import suggest

Key = tuple[str, int | str]  # question, and a database's number or a route's name
One = TypeVar("One", bound=str | int)


def list_names(project: Project) -> list[str]:
    """Return the names of a project's records: databases, then routes."""
    return [*map(name_database, project.databases), *project.routes]


def add_databases(
    project: Project, databases: Sequence[Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    """Return the answers changed by adding databases to a project.

    An existing database with the same name is replaced if `replaces` is set, and otherwise
    rejected.
    """
    kept = project.databases
    for database in databases:
        names = [name_database(record) for record in kept]
        name = name_database(database)
        if name not in names:
            kept.append(dict(database))
        elif replaces:
            kept[names.index(name)] = dict(database)
        else:
            raise RefusedError(
                f"the database {name} exists: choose another name for the new one, or remove the "
                "old one first"
            )
    return {"databases": kept, **add_hook(project, "databases")}


def add_routes(
    project: Project, routes: Mapping[str, Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    kept = project.routes
    for name, route in routes.items():
        if name in kept and not replaces:
            raise RefusedError(
                f"routes.{name} exists: choose another name for the new one, or remove the old one "
                "first"
            )
        kept[name] = dict(route)
    return {"routes": kept, **add_hook(project, "routes")}


def add_hook(project: Project, question: str) -> dict[str, Any]:
    (hook,) = QUESTIONS[question]["hooks"]
    return {} if hook in project.hooks else {"hooks": [*project.hooks, hook]}


def list_keys(project: Project) -> list[Key]:
    """Return the keys of a project's records, in the order of `list_names`."""
    keys: list[Key] = [("databases", number) for number in range(len(project.databases))]
    return keys + [("routes", name) for name in project.routes]


def label(key: Key) -> str:
    question, place = key
    return f"{question}[{place}]" if question == "databases" else f"{question}.{place}"


def find_keys(project: Project, names: Sequence[str]) -> list[Key]:
    """Return the keys of records, without duplicates; raises RefusedError for unknown names.

    The names databases[NUMBER] and routes.NAME are always accepted.
    """
    keys, called = list_keys(project), list_names(project)
    found: list[Key] = []
    unknown = []
    for name in names:
        fits = [key for key in keys if label(key) == name]
        fits = fits or [key for key, other in zip(keys, called, strict=True) if other == name]
        if len(fits) > 1:
            several = " or ".join(shlex.quote(label(key)) for key in fits)
            raise RefusedError(f"several records are called {name}: name one with {several}")
        found += [key for key in fits if key not in found]
        unknown += [] if fits else [name]
    if unknown:
        raise RefusedError(format_unknown(unknown, called))
    return found


def has_record(project: Project, name: str) -> bool:
    return name in list_names(project) or name in map(label, list_keys(project))


def find_key(project: Project, name: str) -> Key:
    return find_keys(project, [name])[0]


def format_unknown(names: Sequence[str], known: Sequence[str]) -> str:
    near = {name: suggest(name, known) for name in dict.fromkeys(names)}
    if len(near) == 1 and near[names[0]]:
        return f"no record named '{names[0]}': {near[names[0]]}"
    told = [f"'{name}'" + (f" ({hint})" if hint else "") for name, hint in near.items()]
    return f"no record named {' or '.join(told)}: hookwright list shows the names"


def read_record(project: Project, key: Key) -> dict[str, Any]:
    question, place = key
    answers: Any = project.databases if question == "databases" else project.routes
    return dict(answers[place])


def replace_record(
    project: Project, key: Key, record: Mapping[str, Any], name: str = ""
) -> dict[str, Any]:
    """Return the answers with a record replaced; a route may get a new name."""
    question, place = key
    if question == "databases":
        databases = project.databases
        databases[int(place)] = dict(record)
        return {"databases": databases}
    routes = project.routes.items()
    return {
        "routes": {
            (name or key if key == place else key): dict(record) if key == place else route
            for key, route in routes
        }
    }


def remove_records(project: Project, names: Sequence[str]) -> dict[str, Any]:
    """Return the answers after removing records; raises RefusedError for the last record."""
    gone = find_keys(project, names)
    answers: dict[str, Any] = {}
    databases = [
        database for i, database in enumerate(project.databases) if ("databases", i) not in gone
    ]
    routes = {name: route for name, route in project.routes.items() if ("routes", name) not in gone}
    rests: dict[str, Any] = {"databases": databases, "routes": routes}
    for question in dict.fromkeys(question for question, _ in gone):
        if rests[question]:
            answers[question] = rests[question]
    hooks = list_hooks_without(project, gone)
    if not hooks:
        these = "this is the project's last record" if len(gone) == 1 else "these are all records"
        raise RefusedError(
            f"{these}: to remove the project, run {project.name_command('uninstall')}, "
            "and delete its folder"
        )
    return answers | ({"hooks": hooks} if hooks != project.hooks else {})


def list_hooks_without(project: Project, gone: Sequence[Key]) -> list[str]:
    rest = {question for question, place in list_keys(project) if (question, place) not in gone}
    emptied = {question for question, _ in gone} - rest
    needless = {hook for question in emptied for hook in QUESTIONS[question]["hooks"]}
    return [hook for hook in project.hooks if hook not in needless]


@dataclass(frozen=True)
class Position:
    """A record's target position."""

    after: bool  # True: after the other record, or last; False: before it, or first
    other: str = ""  # the other record's name, or ""


def move_record(project: Project, name: str, position: Position) -> dict[str, Any]:
    """Return the answers after moving a record among those of its kind."""
    question, moved = key = find_key(project, name)
    other = find_key(project, position.other) if position.other else None
    if other == key:
        raise RefusedError(f"{name} cannot be moved next to itself: name another record")
    if other and other[0] != question:
        kinds = "a database, not a route" if question == "routes" else "a route, not a database"
        raise RefusedError(f"{position.other} is {kinds}: name one of the same kind as {name}")
    keys = [number for kind, number in list_keys(project) if kind == question]
    order = arrange(keys, moved, other[1] if other else None, after=position.after)
    if question == "routes":
        return {"routes": {str(route): project.routes[str(route)] for route in order}}
    return {"databases": [project.databases[int(number)] for number in order]}


def arrange(keys: Sequence[One], moved: One, other: One | None, *, after: bool) -> list[One]:
    rest = [key for key in keys if key != moved]
    place = rest.index(other) + after if other is not None else len(rest) * after
    return [*rest[:place], moved, *rest[place:]]
