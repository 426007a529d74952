"""Remove documentation databases, and what registered them with the client."""

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.documentation.records import find_database
from hookwright.documentation.registration import unregister
from hookwright.documentation.servers import LEANN_NAME, OUR_NAME, Engine
from hookwright.project.hook_tables import read_databases, read_tables
from hookwright.project.reader import Project
from hookwright.project.template_modules import installation
from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import (
    FOLDER,
    find_folder,
    find_root,
    is_database,
    list_names,
    open_database,
    remove_database,
)

SERVERS = {Engine.BUILTIN.value: OUR_NAME, Engine.LEANN.value: LEANN_NAME}


def is_there(name: str) -> bool:
    """Tell whether a documentation database, finished or not, has a name."""
    try:
        return is_database(find_folder(name))
    except ReportedError:  # not the name of one
        return False


def list_of_project(project: Project, names: Iterable[str]) -> list[str]:
    """Return which documentation databases the records with these names are for.

    They need not be there.
    """
    from hookwright.answers.records import name_database

    wanted = set(names)
    found = {f"databases[{number}]": record for number, record in enumerate(project.databases)} | {
        name_database(record): record for record in project.databases
    }
    databases = [find_database(record) for name, record in found.items() if name in wanted]
    return list(dict.fromkeys(filter(None, databases)))


def find_users(name: str, but: str = "") -> list[str]:
    """Return the installed projects whose hooks send searches to a database.

    Args:
        name: The name of the database.
        but: The name of the project that no longer does.

    """
    users = []
    for one in installation.list_installed(find_config_folder()):
        records = read_databases(read_tables(Path(one.path)))
        if one.project != but and any(find_database(record) == name for record in records):
            users.append(one.project)
    return list(dict.fromkeys(filter(None, users)))


def say_how_to_remove(name: str, project: str) -> str:
    """Return the command that removes a database from an installed project."""
    folder = installation.find_folder(find_config_folder(), project)
    place = f"--project {shlex.quote(str(folder))}" if folder else "in its folder"
    return f"run hookwright remove {name} {place}"


def find_engines(name: str) -> set[str]:
    """Return the engine of a database; all that it may be of where it is damaged."""
    try:
        return {open_database(name).manifest.engine}
    except ReportedError:
        return set(SERVERS)


def remove_whole(name: str) -> None:
    """Remove a database, and the server of its engine if that has no other database.

    Raises:
        ReportedError: Another process builds it, or the client's files cannot be changed.
        OSError: It cannot be removed.

    """
    remove_database(name)
    engines = {engine for other in list_names() for engine in find_engines(other)}
    for engine in SERVERS.keys() - engines:
        unregister(SERVERS[engine])
    root = find_root()
    if FOLDER not in os.environ and root.is_dir() and not any(root.iterdir()):
        root.rmdir()
