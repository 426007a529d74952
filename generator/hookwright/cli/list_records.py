"""List the records of a project."""

from hookwright.answers.records import name_database
from hookwright.cli.options import HERE, AsJson, InProject
from hookwright.project.reader import Project, open_project
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import build_table, dump, excerpt, open_console, print_line


def list_records(*, project: InProject = HERE, as_json: AsJson = False) -> int:
    """List the databases and routes."""
    opened = open_project(project)
    if as_json:
        print(dump({"databases": opened.databases, "routes": opened.routes}, indent=2))
        return 0
    if opened.databases:
        show_databases(opened)
    if opened.databases and opened.routes:
        print()
    if opened.routes:
        show_routes(opened)
    if not opened.databases and not opened.routes:
        print_line(f"{opened.name} has no records: its hooks are {', '.join(opened.hooks)}")
    return 0


def show_databases(project: Project) -> None:
    """Print a table of the databases."""
    table = build_table("database", "keywords", "goes to", "of")
    for database in project.databases:
        words = ", ".join(database["keywords"])
        tool, what = database["mcp_tool_name"], database["description"]
        table.add_row(
            escape_hidden(name_database(database)),
            escape_hidden(words),
            escape_hidden(tool),
            excerpt(what),
        )
    open_console().print(table)


def show_routes(project: Project) -> None:
    """Print a table of the routes, in the order in which they are tried."""
    table = build_table("route", "tool", "does", "so that the agent is told")
    routes = project.routes.items()
    for name, route in sorted(routes, key=lambda item: item[1].get("action") != "allow"):
        does = route.get("action", "block") + (", once" if route.get("once") else "")
        message = excerpt(route.get("message", ""), 120)
        table.add_row(
            escape_hidden(name), escape_hidden(route.get("tool", "WebFetch")), does, message
        )
    open_console().print(table)
