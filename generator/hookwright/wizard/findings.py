"""Find and report the candidates for a new project's records on this machine."""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.discovery.ambiguous_keywords import mark_ordinary
from hookwright.discovery.record_files import find_old_files, find_ready_routes
from hookwright.discovery.search_tools import RIGHT_TOOL, find_indexes, list_search_tools
from hookwright.documentation.database_records import (
    find_database,
    list_built,
    list_installed_records,
)
from hookwright.installer.files import peek
from hookwright.wizard.form import Form
from hookwright_console.terminal import count

REGISTRIES = "registries"  # most machines have its tools, even without a private registry
REGISTRY_SETTINGS = (".npmrc", "~/.npmrc", "~/.config/pip/pip.conf", "~/.pip/pip.conf")
PRIVATE = re.compile(
    rb"/artifactory/api/|//npm[.]pkg[.]github[.]com|//pkgs[.]dev[.]azure[.]com|-npm[.]pkg[.]dev/"
)


@dataclass(frozen=True)
class RouteGroup:
    """Routes that the user chooses together."""

    title: str
    routes: Mapping[str, dict[str, Any]]  # records by name
    is_usual: bool  # whether the user has the tools that the routes need


@dataclass(frozen=True)
class Findings:
    """Candidates for records on this machine."""

    databases: Mapping[str, dict[str, Any]]  # records by name
    unused: list[str]  # databases to which no installed project sends searches
    guessed: list[str]  # databases from LEANN's indexes: their keywords are a guess
    groups: Mapping[str, RouteGroup]
    has_old_routes: bool  # whether an earlier hook has routes


def find_candidates(form: Form, folder: Path) -> Findings:
    """Find and report the candidates, including an earlier hook's files in `folder`."""
    report = form.dialogue.print
    tools = list_search_tools(form.servers.values())
    tool = next((name for name in tools if tools[name].argument == "index_name"), RIGHT_TOOL)
    built, indexes = list_built(), find_indexes(Path.cwd(), tool)
    for origin, names in (
        ("hookwright setup made", map(name_database, built)),
        ("LEANN has", (Path(record["path"]).name for record in indexes)),
        ("The client has the MCP servers", form.servers),
    ):
        if listed := ", ".join(names):
            report(f"{origin} {listed}")
    databases = {name_database(record): record for record in built}
    groups = {}
    for file in find_old_files([Path.cwd(), folder], form.check):
        routes = [count(len(file.routes), "route")] if file.routes else []
        held = [count(len(file.databases), "database")] if file.databases else []
        report(f"{file.path} has {' and '.join(held + routes) or 'no valid records'}")
        for problem in file.complaints:
            report(f"left out: {problem}", "  ", "    ")
        for record in file.databases:
            databases.setdefault(name_database(record), record)
        if file.routes:
            title = f"{file.path} ({routes[0]})"
            groups[str(file.path)] = RouteGroup(title, file.routes, is_usual=True)
    paths = {str(Path(record["path"]).expanduser()) for record in databases.values()}
    guessed = []
    for record in indexes:
        name, path = name_database(record), record["path"]
        if problem := form.check("databases", record, Path(path).name):
            report(f"left out: {problem}", "  ", "    ")
        elif path not in paths and name not in databases:
            databases[name] = mark_ordinary(record)
            guessed.append(name)
    used = {find_database(record) for _, record in list_installed_records()}
    unused = [name for name in databases if name not in used]
    ready = group_ready_routes(form)
    return Findings(databases, unused, guessed, groups | ready, has_old_routes=bool(groups))


def group_ready_routes(form: Form) -> dict[str, RouteGroup]:
    groups = {}
    for ready in find_ready_routes():
        is_usual = all(has_tool(form, route) for route in ready.routes.values())
        title = f"{ready.name} ({count(len(ready.routes), 'route')}): {ready.about}"
        title += "" if is_usual else " - not installed"
        if ready.name == REGISTRIES:
            settings = (peek(Path(path).expanduser()) for path in REGISTRY_SETTINGS)
            is_usual = is_usual and any(map(PRIVATE.search, settings))
        groups[ready.name] = RouteGroup(title, ready.routes, is_usual)
    return groups


def has_tool(form: Form, route: Mapping[str, Any]) -> bool:
    """Return whether this machine has the command or MCP server that a ready-made route names."""
    if command := route.get("requires"):
        return shutil.which(command) is not None
    return any(server.prefix in route.get("message", "") for server in form.servers.values())
