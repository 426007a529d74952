"""The server that searches a database: our own, by stdio or the resident one, or LEANN's."""

import os
from pathlib import PurePath
from typing import Any

from hookwright.clients.claude.tool_names import build_prefix
from hookwright.discovery.search_tools import LEANN, LEANN_COMMAND
from hookwright.documentation.registration import Server, read_entry
from hookwright.lesson_server import find_running
from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import FOLDER
from hookwright_documentation.recipes.recipe import Engine

OUR_NAME = "hookwright-docs"
OUR_TOOLS = ("search_docs", "read_page", "list_databases")
SEARCH = f"{build_prefix(OUR_NAME)}{OUR_TOOLS[0]}"
DATABASE = "database"  # its argument that names the database
LEANN_NAME = "leann"


def build_server(engine: str) -> Server:
    """Return the server for the databases of an engine; raises RefusedError if LEANN is missing."""
    if engine == Engine.LEANN:
        from hookwright_documentation.leann.program import find_leann

        own = read_entry(LEANN_NAME) or {}  # which finds an index by its path, too
        is_leann = PurePath(str(own.get("command"))).name == LEANN_COMMAND
        return Server(LEANN_NAME, own if is_leann else find_leann().build_entry(), (LEANN.name,))
    return Server(OUR_NAME, find_entry(), OUR_TOOLS)


def find_entry() -> dict[str, Any]:
    from hookwright_documentation.serving.registration import build_http_entry, build_stdio_entry

    resident = None if os.environ.get(FOLDER) else find_resident()
    if resident:
        url, token = resident
        return build_http_entry(url, token=token)
    return build_stdio_entry()


def find_resident() -> tuple[str, bool] | None:
    """Return the address of the resident server, and whether it needs a token; None without one."""
    from hookwright_console.system_service import find_config, find_service, read_environment

    try:
        if find_service().read_state() != "running":
            return None
        path = find_config() / "lesson-search" / "service.env"
        variables = read_environment(path) if path.exists() else {}
    except (ReportedError, OSError):
        return None
    url = find_running()
    return (url, "LESSON_SEARCH_TOKEN" in variables) if url else None
