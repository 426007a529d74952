"""Write, find and remove the records that connect hooks to documentation databases."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookwright.answers.schema import name_database
from hookwright.clients.claude.tool_names import build_prefix
from hookwright.clients.dialects import read_dialects
from hookwright.discovery.ambiguous_keywords import FIELD, mark_ordinary
from hookwright.discovery.search_tools import LEANN
from hookwright.documentation.registration import (
    BY_CLIENT,
    DATABASE,
    LEANN_NAME,
    OUR_NAME,
    SEARCH,
    read_notes,
    unregister,
)
from hookwright.project.installer import find_installed, find_project_folder
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import read_databases, read_tables
from hookwright_console.errors import ReportedError
from hookwright_console.objects import pick, pick_texts
from hookwright_console.text import shorten
from hookwright_documentation.databases import (
    FOLDER,
    NAME,
    Manifest,
    find_database_folder,
    find_root,
    is_database,
    list_names,
    open_database,
    remove_database,
)
from hookwright_documentation.leann import LINK
from hookwright_documentation.recipes.recipe import Engine, Recipe, recall_recipe
from hookwright_documentation.sources.git.repository import FORGES

SERVERS = {Engine.BUILTIN.value: OUR_NAME, Engine.LEANN.value: LEANN_NAME}
MAX_SHOWN = 3  # databases in a message about a shared word
# The schema's pattern for `domains`. It excludes localhost, because no search is limited to it.
DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+")
# Hosts shared by many projects, so that a search of the host is not about a single project.
SHARED_HOSTS = FORGES | {"devdocs.io", "pypi.org", "readthedocs.org"}


def is_there(name: str) -> bool:
    try:
        return is_database(find_database_folder(name))
    except ReportedError:  # an invalid name
        return False


def find_users(name: str, but: str = "") -> list[str]:
    """Return the other installed projects whose hooks send searches to a database."""
    users = {
        project: None
        for project, record in list_installed_records()
        if project not in {"", but} and find_database(record) == name
    }
    return list(users)


def list_installed_records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the records of the hooks installed in any client, in the answers' format.

    Each record comes with its project's name. Other clients' names for MCP tools are translated
    only for registered servers.
    """
    servers = [*SERVERS.values(), *list_team_servers()]
    for client, hook in find_installed():
        dialect = read_dialects()[client]
        for record in read_databases(read_tables(Path(hook.path))):
            tool = dialect.read_tool(str(record.get("mcp_tool_name")), servers)
            yield hook.project, {**record, "mcp_tool_name": tool}


def explain_how_to_remove(name: str, project: str) -> str:
    folder = find_project_folder(project)
    place = f"--project {shlex.quote(str(folder))}" if folder else "in its folder"
    return f"run hookwright remove {name} {place}"


def find_engines(name: str) -> set[str]:
    """Return a database's engine, or all possible engines if the database is damaged."""
    try:
        return {open_database(name).manifest.engine}
    except ReportedError:
        return set(SERVERS)


def list_connected(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the records that refer to team servers."""
    servers = list_team_servers()
    return [
        name_database(record)
        for record in records
        if any(is_of(record, server) for server in servers)
    ]


def list_unused(project: Project) -> list[str]:
    """Return a project's existing databases that no hooks use."""
    found = {name_database(record): find_database(record) for record in project.databases}
    return [
        name
        for name, database in found.items()
        if database and is_there(database) and not find_users(database)
    ]


def list_team_servers() -> list[str]:
    noted = pick(read_notes(), BY_CLIENT)
    names = dict.fromkeys(name for client in noted for name in pick(noted, client))
    return [name for name in names if name not in SERVERS.values()]


def forget_servers(project: str, rest: Sequence[Mapping[str, Any]]) -> list[str]:
    """Unregister team servers that no installed project uses, and return their names.

    `rest` are the records that this project keeps. Raises RefusedError.
    """
    others = [record for name, record in list_installed_records() if name != project]
    records = [*rest, *others]
    unused = [
        name for name in list_team_servers() if not any(is_of(record, name) for record in records)
    ]
    return [name for name in unused if unregister(name)]


def remove_whole(name: str) -> None:
    """Remove a database, and its engine's server if no other database needs it.

    Raises OSError, and ReportedError if another process is building it or the client's files cannot
    be changed.
    """
    remove_database(name)
    engines = {engine for other in list_names() for engine in find_engines(other)}
    for engine in SERVERS.keys() - engines:
        unregister(SERVERS[engine])
    if FOLDER not in os.environ:
        with suppress(OSError):  # it is missing, or contains another database
            find_root().rmdir()


def build_record(recipe: Recipe, prefix: str, server: str) -> dict[str, Any]:
    """Return a database's record; `prefix` is the start of its page addresses, "" if unknown."""
    folder = find_database_folder(recipe.name).absolute()
    tool, arguments = SEARCH, {DATABASE: recipe.name}
    if recipe.engine == "leann":
        tool, arguments = build_prefix(server) + LEANN.name, {LEANN.argument: str(folder / LINK)}
    domains = dict.fromkeys([*list_domains(prefix or recipe.source), *recipe.domains])
    record = {
        "keywords": [*recipe.keywords],
        **({"name": recipe.name} if recipe.name != recipe.keywords[0] else {}),
        "path": str(folder),
        "mcp_tool_name": tool,
        "arguments": arguments,
        "description": recipe.title,
        **({"domains": [*domains]} if domains else {}),
        **({FIELD: True} if recipe.ambiguous else {}),
    }
    return mark_ordinary(record)


def list_built() -> list[dict[str, Any]]:
    """Return the records of the databases that our own server searches."""
    records = []
    for name in list_names():
        with suppress(ReportedError):  # the database is damaged, which doctor reports
            manifest = open_database(name).manifest
            if manifest.engine == Engine.BUILTIN:
                records.append(build_record(recall_recipe(manifest), find_site(manifest), OUR_NAME))
    return records


def list_domains(address: str) -> list[str]:
    """Return a database's domains, from its page addresses."""
    parts = urlsplit(address)
    host = (parts.hostname or "") if parts.scheme in {"http", "https"} else ""
    return [host] if DOMAIN.fullmatch(host) and host not in SHARED_HOSTS else []


def find_site(manifest: Manifest) -> str:
    return str(manifest.options.get("site") or manifest.prefix)


def list_former_domains(manifest: Manifest) -> list[str]:
    return [*list_domains(find_site(manifest)), *recall_recipe(manifest).domains]


def is_ours(record: Mapping[str, Any], name: str) -> bool:
    """Return whether a record refers to the documentation database with this name."""
    path = record.get("path")
    return isinstance(path, str) and Path(path) == find_database_folder(name).absolute()


def is_of(record: Mapping[str, Any], server: str) -> bool:
    return str(record.get("mcp_tool_name")).startswith(build_prefix(server))


def find_database(record: Mapping[str, Any]) -> str:
    """Return the name of the documentation database that a record refers to, or ""."""
    arguments = pick(record, "arguments")
    if record.get("mcp_tool_name") == SEARCH:
        name = str(arguments.get(DATABASE, ""))
        return name if NAME.match(name) else ""
    index = Path(str(arguments.get(LEANN.argument, "")))
    name = index.parent.name
    return name if index.name == LINK and NAME.match(name) and is_ours(record, name) else ""


def list_shared_words(
    there: Iterable[Mapping[str, Any]], records: Sequence[Mapping[str, Any]], server: str
) -> list[str]:
    """Return lines about keywords and domains that new records share with other databases.

    The new `records` refer to `server`, and replace a project's old records for it.
    """
    names = set(map(name_database, records))
    others = [
        record for record in there if not (is_of(record, server) and name_database(record) in names)
    ]
    lines = []
    for number, record in enumerate(records):
        for field, noun in (("keywords", "keyword"), ("domains", "domain")):
            for word in pick_texts(record, field):
                same = [
                    name_database(other)
                    for other in [*others, *records[:number]]
                    if word.casefold() in map(str.casefold, pick_texts(other, field))
                ]
                if same:
                    lines.append(
                        f"{name_database(record)} has the {noun} {shorten(word)}, which is "
                        f"also of {', '.join(map(shorten, same[:MAX_SHOWN]))}"
                    )
    return lines
