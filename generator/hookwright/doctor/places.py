"""Look whether what the records name is there, and what is wrong with their patterns."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hookwright.answers.records import name_database
from hookwright.clients.claude.configuration import Server, list_servers, pick
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright.doctor.tools import find_server
from hookwright.patterns.breadth import list_broad

FILE = re.compile(r"[/~]|\.{1,2}/|[A-Za-z]:[\\/]|\\\\")  # how the path of a file begins
LEANN = "leann_search"
META = Path("documents.leann.meta.json")
LARGEST = 10_000_000  # bytes


def check_paths(setup: Setup) -> Iterator[Finding]:
    """Yield which of the databases are where their records say."""
    servers = list_servers(setup.folder)
    for database in setup.databases:
        name, path = name_database(database), str(database.get("path", ""))
        if FILE.match(path):
            there = os.path.exists(os.path.expanduser(path))  # noqa: PTH110, PTH111 - of any text
            yield Finding(
                "paths",
                "ok" if there else "fault",
                f"{name}: {path}"
                + (" is there" if there else " is not there: make it, or hookwright edit"),
            )
        index = pick(database, "arguments").get("index_name")
        tool = str(database.get("mcp_tool_name"))
        if tool.endswith(f"__{LEANN}") and isinstance(index, str):
            server = find_server(tool, servers)
            place = find_index(index, setup.folder, server)
            yield Finding(
                "paths",
                "ok" if place else "fault",
                f"{name}: the LEANN index {index} "
                + (
                    f"is in {place}"
                    if place
                    else f"is not there: leann build {shlex.quote(index)} --docs DIR"
                ),
            )


def find_index(name: str, folder: Path, server: Server | None) -> Path | None:
    """Return the folder of a LEANN index, found as LEANN does, or None."""
    own = Path(os.path.expanduser(name))  # noqa: PTH111 - of whatever text
    if is_index(own):
        return own
    args = list(server.args) if server else []
    bases = [folder]
    if "--base-dir" in args[:-1]:
        bases = [Path(args[args.index("--base-dir") + 1])]
    for base in [*bases, *list_leann_projects()]:
        place = base / ".leann" / "indexes" / name
        if is_index(place):
            return place
    return None


def is_index(place: Path) -> bool:
    """Tell whether a folder holds an index."""
    try:
        return (place / META).is_file()
    except (OSError, ValueError):
        return False


def list_leann_projects() -> list[Path]:
    """Return the folders in which LEANN knows of indexes; its file may hold anything."""
    import json

    path = Path.home() / ".leann" / "projects.json"
    try:
        projects = json.loads(path.read_bytes()) if path.stat().st_size < LARGEST else []
    except (OSError, ValueError, RecursionError):
        return []
    listed = projects if isinstance(projects, list | dict) else []
    return [Path(project) for project in listed if isinstance(project, str) and "\0" not in project]


def check_commands(setup: Setup) -> Iterator[Finding]:
    """Yield which of the commands that routes require are there."""
    for command, routes in group(setup.routes, "requires").items():
        path = shutil.which(command)
        where = f"is {path}" if path else f"is missing, so {', '.join(routes)} is passed over"
        line = f"{command} {where}" + ("" if path else f": install {command}")
        yield Finding("commands", "ok" if path else "warn", line)


def group(routes: Mapping[str, Mapping[str, Any]], field: str) -> dict[str, list[str]]:
    """Return the names of routes by what they have in a field."""
    found: dict[str, list[str]] = {}
    for name, route in routes.items():
        if isinstance(route.get(field), str):
            found.setdefault(route[field], []).append(name)
    return found


def check_patterns(setup: Setup, progress: Callable[[str], object]) -> Iterator[Finding]:
    """Yield what is wrong with the patterns of the routes."""
    from hookwright.patterns.check import check_routes

    whole = {name: one for name, one in setup.routes.items() if isinstance(one.get("pattern"), str)}
    flaws = check_routes(whole, progress)
    for flaw in flaws:
        yield Finding("patterns", "fault", f"{flaw}: hookwright edit")
    spoilt = {flaw.route for flaw in flaws}
    for line in list_broad({name: one for name, one in whole.items() if name not in spoilt}):
        yield Finding("patterns", "warn", f"{line}: hookwright edit")
    if whole and not flaws:
        yield Finding("patterns", "ok", f"{len(whole)} read, none that can go on without end")
