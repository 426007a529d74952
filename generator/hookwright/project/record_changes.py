"""Find a project's records by name, and plan the resulting changes to the answers."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.answers.schema import QUESTIONS, name_database
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError
from hookwright_console.text import suggest

Key = tuple[str, int | str]  # question, and a database's number or a route's name
Records = Mapping[Key, Mapping[str, Any]]


def list_records(project: Project) -> Records:
    """Return a project's records by key: databases, then routes."""
    databases: Records = {("databases", n): record for n, record in enumerate(project.databases)}
    return {**databases, **{("routes", name): route for name, route in project.routes.items()}}


def list_names(project: Project) -> list[str]:
    """Return the names of a project's records, in the order of `list_records`."""
    return [*map(name_database, project.databases), *project.routes]


def gather(records: Records, question: str) -> dict[str, Any]:
    """Return the answer to a question that gives a project its records of that kind."""
    own = {place: dict(record) for (kind, place), record in records.items() if kind == question}
    return {question: [*own.values()] if question == "databases" else own}


def add_databases(
    project: Project, databases: Sequence[Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    """Return the answers changed by adding databases to a project.

    An existing database with the same name is replaced if `replaces` is set, and otherwise
    rejected.
    """
    kept = project.databases
    for database in databases:
        names, name = [*map(name_database, kept)], name_database(database)
        if name in names and not replaces:
            raise RefusedError(format_taken(f"the database {name}"))
        place = names.index(name) if name in names else len(names)
        kept[place : place + 1] = [dict(database)]
    return {"databases": kept, **add_hook(project, "databases")}


def add_routes(
    project: Project, routes: Mapping[str, Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    for name in routes:
        if name in project.routes and not replaces:
            raise RefusedError(format_taken(f"routes.{name}"))
    return {"routes": {**project.routes, **routes}, **add_hook(project, "routes")}


def format_taken(name: str) -> str:
    return f"{name} exists: choose another name for the new one, or remove the old one first"


def add_hook(project: Project, question: str) -> dict[str, Any]:
    (hook,) = QUESTIONS[question]["hooks"]
    return {} if hook in project.hooks else {"hooks": [*project.hooks, hook]}


def label(key: Key) -> str:
    question, place = key
    return f"{question}[{place}]" if question == "databases" else f"{question}.{place}"


def find_keys(project: Project, names: Sequence[str]) -> list[Key]:
    """Return the keys of records, without duplicates; raises RefusedError for unknown names.

    The names databases[NUMBER] and routes.NAME are always accepted.
    """
    keys, called = list(list_records(project)), list_names(project)
    found: dict[Key, None] = {}
    unknown = []
    for name in names:
        fits = [key for key in keys if label(key) == name]
        fits = fits or [key for key, other in zip(keys, called, strict=True) if other == name]
        if len(fits) > 1:
            several = " or ".join(shlex.quote(label(key)) for key in fits)
            raise RefusedError(f"several records are called {name}: name one with {several}")
        found |= dict.fromkeys(fits)
        unknown += [] if fits else [name]
    if unknown:
        raise RefusedError(format_unknown(unknown, called))
    return [*found]


def has_record(project: Project, name: str) -> bool:
    return name in list_names(project) or name in map(label, list_records(project))


def find_key(project: Project, name: str) -> Key:
    return find_keys(project, [name])[0]


def format_unknown(names: Sequence[str], known: Sequence[str]) -> str:
    near = {name: suggest(name, known) for name in dict.fromkeys(names)}
    if len(near) == 1 and near[names[0]]:
        return f"no record named '{names[0]}': {near[names[0]]}"
    hints = [f"'{name}'" + (f" ({hint})" if hint else "") for name, hint in near.items()]
    return f"no record named {' or '.join(hints)}: hookwright list shows the names"


def read_record(project: Project, key: Key) -> dict[str, Any]:
    return dict(list_records(project)[key])


def replace_record(
    project: Project, key: Key, record: Mapping[str, Any], name: str = ""
) -> dict[str, Any]:
    """Return the answers with a record replaced; a route may get a new name."""
    question, place = key
    records = {
        (question, name or place) if other == key else other: record if other == key else former
        for other, former in list_records(project).items()
    }
    return gather(records, question)


def remove_records(project: Project, names: Sequence[str]) -> dict[str, Any]:
    """Return the answers after removing records; raises RefusedError for the last record."""
    gone = find_keys(project, names)
    left = {key: record for key, record in list_records(project).items() if key not in gone}
    hooks = list_hooks_without(project, gone)
    if not hooks:
        these = "this is the project's last record" if len(gone) == 1 else "these are all records"
        raise RefusedError(
            f"{these}: to remove the project, run {project.name_command('uninstall')}, "
            "and delete its folder"
        )
    answers: dict[str, Any] = {} if hooks == project.hooks else {"hooks": hooks}
    for question in {key[0] for key in gone} & {key[0] for key in left}:
        answers |= gather(left, question)
    return answers


def list_hooks_without(project: Project, gone: Sequence[Key]) -> list[str]:
    rest = {key[0] for key in list_records(project) if key not in gone}
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
    records, key = list_records(project), find_key(project, name)
    other = find_key(project, position.other) if position.other else None
    if other == key:
        raise RefusedError(f"{name} cannot be moved next to itself: name another record")
    if other and other[0] != key[0]:
        kinds = "a database, not a route" if key[0] == "routes" else "a route, not a database"
        raise RefusedError(f"{position.other} is {kinds}: name one of the same kind as {name}")
    order = [near for near in records if near[0] == key[0] and near != key]
    order.insert(order.index(other) + position.after if other else len(order) * position.after, key)
    return gather({near: records[near] for near in order}, key[0])
