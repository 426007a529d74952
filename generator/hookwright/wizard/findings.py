"""Show the candidates for a new project on this machine."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.discovery.old_files import OldFile
from hookwright.discovery.ready_routes import ReadyRoutes
from hookwright.discovery.search_tools import RIGHT_TOOL, Index, list_search_tools
from hookwright.wizard.form import Form
from hookwright_console.terminal import count


@dataclass(frozen=True)
class Findings:
    """Candidates for records on this machine."""

    indexes: list[Index]  # LEANN's indexes
    old: list[OldFile]  # configuration files of earlier hooks
    made: list[dict[str, Any]]  # records written by `hookwright setup`
    used: frozenset[str]  # databases to which an installed project sends searches

    def choose_unused(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name not in self.used]


def report_found(form: Form, found: Findings) -> None:
    print_line = form.dialogue.print
    if found.made:
        print_line(f"hookwright setup made {', '.join(map(name_database, found.made))}")
    if found.indexes:
        print_line(f"LEANN has {', '.join(index.name for index in found.indexes)}")
    if form.servers:
        print_line(f"The client has the MCP servers {', '.join(form.servers)}")
    for file in found.old:
        held = [count(len(file.databases), "database")] if file.databases else []
        held += [count(len(file.routes), "route")] if file.routes else []
        print_line(f"{file.path} has {' and '.join(held) or 'no valid records'}")
        for problem in file.complaints:
            print_line(f"left out: {problem}", "  ", "    ")


def suggest_database(form: Form, index: Index) -> dict[str, Any]:
    listed = list_search_tools(form.servers.values())
    tools = [name for name, tool in listed.items() if tool.argument == "index_name"]
    return {
        **index.suggest(),
        "mcp_tool_name": tools[0] if tools else RIGHT_TOOL,
        "arguments": {"index_name": index.argument},
    }


def drop_flawed(form: Form, routes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the routes with valid patterns; print the faults of the other routes."""
    from hookwright.patterns.check import check_routes

    flaws = check_routes(routes)
    for flaw in flaws:
        form.dialogue.print(f"left out: {flaw}", "  ", "    ")
    wrong = {flaw.route for flaw in flaws}
    return {name: route for name, route in routes.items() if name not in wrong}


def describe_ready(form: Form, ready: ReadyRoutes) -> str:
    missing = "" if is_installed(form, ready) else " - not installed"
    return f"{ready.name} ({count(len(ready.routes), 'route')}): {ready.about}{missing}"


def is_installed(form: Form, ready: ReadyRoutes) -> bool:
    """Return whether this machine has the commands or MCP servers that ready-made routes name."""
    return all(has_tool(form, route) for route in ready.routes.values())


def has_tool(form: Form, route: Mapping[str, Any]) -> bool:
    if command := route.get("requires"):
        return shutil.which(command) is not None
    return any(server.prefix in route.get("message", "") for server in form.servers.values())
