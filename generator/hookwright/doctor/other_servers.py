"""Check that other clients than Claude Code are configured with the MCP servers of the records."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookwright.clients.claude.tool_names import find_named, is_mcp, is_unlisted, read_server
from hookwright.clients.dialects import read_dialects
from hookwright.clients.server_forms import FORMS
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright.documentation.other_clients import find_server
from hookwright.documentation.records import find_database
from hookwright.project.installer import find_lost_folder, list_clients
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from installer.client import Client


def check_other_servers(setup: Setup) -> Iterator[Finding]:
    """Check the MCP servers of each other client that the project is installed in, or should be."""
    project = setup.project
    for one in list_clients(project) if project else ():
        if project and one.name in FORMS and not find_lost_folder(one):
            yield from check_servers(one, project)


def check_servers(one: "Client", project: Project) -> Iterator[Finding]:
    """Check that a client has the server of each MCP tool that its hooks name.

    Only its file for the user is read, and no server is started.

    Args:
        one: A client other than Claude Code.
        project: The project.

    """
    form, dialect = FORMS[one.name], read_dialects()[one.name]
    path = form.locate(one)
    for tool, way_out in list_tools(one, project).items():
        name = read_server(tool)
        try:
            found = find_server(form, path, name)
        except RefusedError as refused:
            yield Finding(one.name, "fault", str(refused))
            return
        called = dialect.name_tool(tool)
        if found is None:
            line = f"{called}: the server {name} is not configured in {one.title}"
            yield Finding(one.name, "fault", f"{line}: {way_out or f'add it to {path}'}")
        else:
            yield Finding(one.name, "ok", f"{called}: the server {name} is configured")


def list_tools(one: "Client", project: Project) -> dict[str, str]:
    """Return the MCP tools that a client's hooks name, each with the way to configure its server.

    The way is "" where the user has to write it.
    """
    hooks, found = one.locate_hooks(project.folder), {}
    if (hooks / "docsearch.py").exists():
        for database in project.rendered_databases:
            name = find_database(database)
            way_out = f"run hookwright setup {name}" if name else ""
            found[str(database.get("mcp_tool_name"))] = way_out
    if (hooks / "tool_routing.py").exists():
        for route in project.rendered_routes.values():
            found |= dict.fromkeys(find_named(str(route.get("message", ""))), "")
    return {
        tool: way_out
        for tool, way_out in found.items()
        if is_mcp(tool) and not is_unlisted(read_server(tool))
    }
