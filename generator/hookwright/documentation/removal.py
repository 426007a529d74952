"""Remove documentation databases, and what registered them with the client."""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hookwright.clients.dialects import read_dialects
from hookwright.documentation.database_records import find_database, is_of
from hookwright.documentation.registration import (
    CLIENTS,
    LEANN_NAME,
    OUR_NAME,
    read_notes,
    unregister,
)
from hookwright.project.hook_tables import read_databases, read_tables
from hookwright.project.installer import find_installed, find_project_folder
from hookwright.project.reader import Project
from hookwright_console.errors import ReportedError
from hookwright_console.objects import pick
from hookwright_documentation.databases import (
    FOLDER,
    find_database_folder,
    find_root,
    is_database,
    list_names,
    open_database,
    remove_database,
)
from hookwright_documentation.recipes.recipe import Engine

SERVERS = {Engine.BUILTIN.value: OUR_NAME, Engine.LEANN.value: LEANN_NAME}


def is_there(name: str) -> bool:
    try:
        return is_database(find_database_folder(name))
    except ReportedError:  # not the name of one
        return False


def list_of_project(project: Project, names: Iterable[str]) -> list[str]:
    """Return the documentation databases, there or not, that records with these names are for."""
    from hookwright.answers.schema import name_database

    wanted = set(names)
    found = {f"databases[{number}]": record for number, record in enumerate(project.databases)} | {
        name_database(record): record for record in project.databases
    }
    databases = [find_database(record) for name, record in found.items() if name in wanted]
    return list(dict.fromkeys(filter(None, databases)))


def find_users(name: str, but: str = "") -> list[str]:
    """Return the installed projects, but one, whose hooks send searches to a database."""
    users = [
        project
        for project, record in list_installed_records()
        if project != but and find_database(record) == name
    ]
    return list(dict.fromkeys(filter(None, users)))


def list_installed_records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the records of the hooks that are installed in any client, as answers have them.

    Each comes with the name of its project. Of the MCP tools only those of servers that are
    registered are known by the names that another client than Claude Code has for them.
    """
    servers = [*SERVERS.values(), *list_team_servers()]
    for client, hook in find_installed():
        dialect = read_dialects()[client]
        for record in read_databases(read_tables(Path(hook.path))):
            tool = dialect.read_tool(str(record.get("mcp_tool_name")), servers)
            yield hook.project, {**record, "mcp_tool_name": tool}


def say_how_to_remove(name: str, project: str) -> str:
    folder = find_project_folder(project)
    place = f"--project {shlex.quote(str(folder))}" if folder else "in its folder"
    return f"run hookwright remove {name} {place}"


def find_engines(name: str) -> set[str]:
    """Return the engine of a database; all that it may be of where it is damaged."""
    try:
        return {open_database(name).manifest.engine}
    except ReportedError:
        return set(SERVERS)


def list_connected(project: Project, names: Iterable[str]) -> list[str]:
    from hookwright.answers.schema import name_database

    wanted, servers = set(names), list_team_servers()
    return [
        name_database(record)
        for record in project.databases
        if name_database(record) in wanted and any(is_of(record, one) for one in servers)
    ]


def list_unused(project: Project) -> list[str]:
    """Return the names of a project's records whose databases are there, and no hooks use."""
    from hookwright.answers.schema import name_database

    found = {name_database(record): find_database(record) for record in project.databases}
    return [name for name, one in found.items() if one and is_there(one) and not find_users(one)]


def list_team_servers() -> list[str]:
    noted = pick(read_notes(), CLIENTS)
    names = dict.fromkeys(name for one in noted for name in pick(noted, one))
    return [name for name in names if name not in SERVERS.values()]


def forget_servers(project: str, rest: Sequence[Mapping[str, Any]]) -> list[str]:
    """Take out the teams' servers that no installed project sends searches to; return their names.

    `rest` are the records that the project of this name still has. Raises RefusedError.
    """
    others = [record for name, record in list_installed_records() if name != project]
    records = [*rest, *others]
    unused = [
        name for name in list_team_servers() if not any(is_of(record, name) for record in records)
    ]
    return [name for name in unused if unregister(name)]


def remove_whole(name: str) -> None:
    """Remove a database, and the server of its engine if that has no other database.

    Raises ReportedError if another process builds it, or the client's files cannot be changed;
    OSError.
    """
    remove_database(name)
    engines = {engine for other in list_names() for engine in find_engines(other)}
    for engine in SERVERS.keys() - engines:
        unregister(SERVERS[engine])
    root = find_root()
    if FOLDER not in os.environ and root.is_dir() and not any(root.iterdir()):
        root.rmdir()
