"""Name the records of a project, and say what answers change when one is added or removed."""

from collections.abc import Mapping, Sequence
from typing import Any

from hookwright.answers.questions import QUESTIONS
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError


def name_database(database: Mapping[str, Any]) -> str:
    """Return what a database is called: its name, or else its first keyword."""
    return str(database.get("name") or database["keywords"][0])


def list_names(project: Project) -> list[str]:
    """Return what the records of a project are called: the databases, then the routes."""
    return [*map(name_database, project.databases), *project.routes]


def add_databases(
    project: Project, databases: Sequence[Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    """Return the answers that change when a project gets databases.

    Args:
        project: The project.
        databases: Their records.
        replaces: Whether a record takes the place of one of the same name, or is refused then.

    Raises:
        RefusedError: There is one of the same name, and it is not to be replaced.

    """
    kept = project.databases
    for database in databases:
        names = [name_database(one) for one in kept]
        name = name_database(database)
        if name not in names:
            kept.append(dict(database))
        elif replaces:
            kept[names.index(name)] = dict(database)
        else:
            raise RefusedError(
                f"databases[{names.index(name)}] is called {name}, too: give the new one another "
                "name, or remove the old one first"
            )
    return {"databases": kept, **add_hook(project, "databases")}


def add_routes(
    project: Project, routes: Mapping[str, Mapping[str, Any]], *, replaces: bool = False
) -> dict[str, Any]:
    """Return the answers that change when a project gets routes; as `add_databases`."""
    kept = project.routes
    for name, route in routes.items():
        if name in kept and not replaces:
            raise RefusedError(
                f"routes.{name} exists: give the new one another name, or remove the old one first"
            )
        kept[name] = dict(route)
    return {"routes": kept, **add_hook(project, "routes")}


def add_hook(project: Project, question: str) -> dict[str, Any]:
    """Return the answer that changes when a project has to have the hook of a question."""
    (hook,) = QUESTIONS[question].hooks
    return {} if hook in project.hooks else {"hooks": [*project.hooks, hook]}


def remove_record(project: Project, name: str) -> dict[str, Any]:
    """Return the answers that change when a record goes.

    Args:
        project: The project.
        name: What the record is called; databases[NUMBER] and routes.NAME are always understood.

    Raises:
        RefusedError: No record has the name, or several have; or nothing would be left.

    """
    labels = [f"databases[{number}]" for number in range(len(project.databases))]
    labels += [f"routes.{route}" for route in project.routes]
    names = list_names(project)
    if name in labels:
        found = [name]
    else:
        found = [label for label, called in zip(labels, names, strict=True) if called == name]
    if not found:
        raise RefusedError(f"no record is called {name}: the records are {', '.join(names)}")
    if len(found) > 1:
        raise RefusedError(f"{name} is the name of {' and '.join(found)}: say which")
    place = labels.index(found[0])
    if place < len(project.databases):
        rest: Any = [one for number, one in enumerate(project.databases) if number != place]
        return {"databases": rest} if rest else remove_hook(project, "databases")
    gone = found[0].removeprefix("routes.")
    rest = {route: record for route, record in project.routes.items() if route != gone}
    return {"routes": rest} if rest else remove_hook(project, "routes")


def remove_hook(project: Project, question: str) -> dict[str, Any]:
    """Return the answer that changes when the last record of a hook goes, and the hook with it.

    Raises:
        RefusedError: It is the project's only hook.

    """
    hooks = [hook for hook in project.hooks if hook not in QUESTIONS[question].hooks]
    if not hooks:
        raise RefusedError(
            "this is the project's last record: to remove the project, run hookwright "
            "uninstall, and delete its folder"
        )
    return {"hooks": hooks}
