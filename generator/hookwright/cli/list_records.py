"""List the records of a project."""

from typing import Any

from hookwright.answers.disabling import describe_disabled, enable_expired
from hookwright.answers.schema import name_database
from hookwright.cli.current_project import open_shown
from hookwright.cli.options import HERE, AsJson, InProject
from hookwright.project.reader import Project
from hookwright_console.terminal import MIN_WIDTH, dump, excerpt, print_line, print_table
from hookwright_console.text import escape_hidden, shorten_home


def list_records(*, project: InProject = HERE, as_json: AsJson = False) -> int:
    """List the databases and routes."""
    shown = open_shown(project)
    if as_json:
        rows = [
            {"project": record.name, "folder": str(record.folder), **export_project(record)}
            for record in shown
            if len(shown) > 1
        ]
        print(dump({"projects": rows} if rows else export_project(shown[0]), indent=2))
        return 0
    for number, record in enumerate(shown):
        if len(shown) > 1:
            print("\n" * bool(number), end="")
            print_line(f"{record.name} in {shorten_home(str(record.folder))}:")
        show(record)
    return 0


def export_project(project: Project) -> dict[str, Any]:
    records = {"databases": project.databases, "routes": project.routes}
    return records | enable_expired(records)


def show(opened: Project) -> None:
    if opened.databases:
        show_databases(opened)
    if opened.databases and opened.routes:
        print()
    if opened.routes:
        show_routes(opened)
    if not opened.databases and not opened.routes:
        print_line(f"{opened.name} has no records: its hooks are {', '.join(opened.hooks)}")


def show_databases(project: Project) -> None:
    rows = [
        (
            escape_hidden(format_name(name_database(database), database)),
            escape_hidden(", ".join(database["keywords"])),
            escape_hidden(database["mcp_tool_name"]),
            excerpt(database["description"]),
        )
        for database in project.databases
    ]
    print_table(("database", "keywords", "tool", "description"), rows, ("keywords", "description"))


def show_routes(project: Project) -> None:
    rows = []
    routes = project.routes.items()
    for name, route in sorted(routes, key=lambda item: item[1].get("action") != "allow"):
        does = route.get("action", "block") + (", once" if route.get("once") else "")
        tool = escape_hidden(route.get("tool", "WebFetch"))
        pattern = excerpt(route.get("pattern", ""))
        rows.append((escape_hidden(format_name(name, route)), tool, does, pattern))
    columns = ("route", "tool", "does", "pattern")
    print_table(columns, rows, ("pattern",), {"pattern": MIN_WIDTH})


def format_name(name: str, record: dict[str, Any]) -> str:
    disabled = describe_disabled(record)
    return f"{name} ({disabled})" if disabled else name
