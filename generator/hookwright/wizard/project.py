"""Ask for all that a new project needs, and offer what is there already."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.answers.records import name_database
from hookwright.clients.claude.configuration import list_servers
from hookwright.discovery.indexes import Index, find_indexes
from hookwright.discovery.old_files import OldFile, find_old_files, is_mendable, mend
from hookwright.discovery.ready_routes import find_ready_routes
from hookwright.discovery.tools import RIGHT_TOOL, WRONG_TOOL, list_tools
from hookwright.project.render import render
from hookwright.wizard.ask import ask_several, ask_text, ask_yes
from hookwright.wizard.databases import preview_databases, settle_database
from hookwright.wizard.form import Desk
from hookwright.wizard.lessons import ask_lessons
from hookwright.wizard.routes import preview_routes, settle_route
from hookwright.wizard.servers import ask_servers, list_missing
from hookwright_console.terminal import count, excerpt, print_line

SEPARATORS = re.compile("[^a-z0-9]+")
TITLE = 90  # characters of a choice
HOOKS = {
    "docsearch": "docsearch - web searches go to your documentation databases first",
    "tool_routing": "tool_routing - URLs and commands that have a better tool go to that",
    "lesson_search": "lesson_search - the lessons that matter to a prompt are added to it",
}


def ask_answers(destination: Path, source: str, template: Path) -> dict[str, Any]:
    """Ask for the answers of a new project.

    Args:
        destination: Where the project goes.
        source: The template that it is rendered from.
        template: The folder of the template whose checks hold.

    """
    from hookwright.answers.validation import check_answers

    answers: dict[str, Any] = {
        "project_name": ask_text(
            "What is the project called?",
            SEPARATORS.sub("-", destination.name.lower()).strip("-"),
            example="my-hooks",
            check=lambda text: check_answers(template, "project_name", text),
        )
    }
    desk = Desk(template, list_servers(Path.cwd()), lambda *hook: build_hook(source, *hook))
    indexes = find_indexes(Path.cwd())
    old = find_old_files([Path.cwd(), destination], desk.check)
    tell_found(desk, indexes, old)
    routed = any(file.routes for file in old)
    searched = indexes or not routed or any(file.databases for file in old)
    chosen = (["docsearch"] if searched else []) + (["tool_routing"] if routed else [])
    answers["hooks"] = ask_several("Which hooks do you want?", HOOKS, chosen, least=1)
    if "docsearch" in answers["hooks"]:
        answers["databases"] = ask_databases(desk, indexes, old)
        missing = list_missing(answers["databases"], desk.servers.values())
        answers["mcp_servers"] = ask_servers(template, missing)
    if "tool_routing" in answers["hooks"]:
        answers["routes"] = ask_routes(desk, old)
    if "lesson_search" in answers["hooks"]:
        answers.update(ask_lessons(template))
    return answers


def build_hook(source: str, name: str, answers: Mapping[str, Any]) -> bytes:
    """Return a hook as a template renders it from some answers."""
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        render(source, Path(folder, "project"), {**answers, "hooks": [name]})
        return Path(folder, "project", "hooks", f"{name}.py").read_bytes()


def tell_found(desk: Desk, indexes: list[Index], old: list[OldFile]) -> None:
    """Say what there is already that can be offered."""
    if indexes:
        print_line(f"LEANN has {', '.join(index.name for index in indexes)}")
    if desk.servers:
        print_line(f"The client has the MCP servers {', '.join(desk.servers)}")
    for file in old:
        held = [count(len(file.databases), "database")] if file.databases else []
        held += [count(len(file.routes), "route")] if file.routes else []
        print_line(f"{file.path} has {' and '.join(held) or 'no record that can be taken'}")
        for complaint in file.complaints:
            print_line(f"  left out: {complaint}")


def ask_databases(desk: Desk, indexes: list[Index], old: list[OldFile]) -> list[dict[str, Any]]:
    """Ask for the databases, one at least."""
    databases: list[dict[str, Any]] = []
    for file in old:
        taken = take_databases(desk, file)
        if taken:
            preview_databases(desk, databases, taken)
        databases += taken
        desk.taken = [name_database(database) for database in databases]
    paths = [str(Path(database["path"]).expanduser()) for database in databases]
    for index in choose_indexes([one for one in indexes if str(one.path) not in paths]):
        fixed: dict[str, Any] = {"path": str(index.path)}
        settled = settle_database(desk, databases, fixed, suggest_database(desk, index))
        add_database(desk, databases, settled)
    while not databases or ask_yes("Another database?", default=False):
        add_database(desk, databases, settle_database(desk, databases))
    return databases


def add_database(
    desk: Desk, databases: list[dict[str, Any]], settled: dict[str, Any] | None
) -> None:
    """Add a database that was not left out."""
    if settled:
        databases.append(settled)
        desk.taken.append(name_database(settled))


def take_databases(desk: Desk, file: OldFile) -> list[dict[str, Any]]:
    """Ask which databases of an old file to take, and whether to mend what they say."""
    names = {str(place): name_database(one) for place, one in enumerate(file.databases)}
    fresh = {key: name for key, name in names.items() if name not in desk.taken}
    if not fresh:
        return []
    chosen = ask_several(f"Which databases of {file.path}?", fresh, fresh)
    taken = {names[key]: file.databases[int(key)] for key in chosen}
    wrong = [name for name, one in taken.items() if is_mendable(one)]
    if wrong:
        print_line(f"{', '.join(wrong)}: LEANN has no tool {WRONG_TOOL}, but {RIGHT_TOOL}")
        if ask_yes("Name that, with the index that the path ends with?"):
            taken.update({name: mend(taken[name]) for name in wrong})
    return list(taken.values())


def choose_indexes(indexes: list[Index]) -> list[Index]:
    """Ask which of LEANN's indexes get a record."""
    if not indexes:
        return []
    titles = {str(place): f"{one.name} ({one.path})" for place, one in enumerate(indexes)}
    chosen = ask_several("Which of LEANN's indexes should searches go to?", titles, titles)
    return [indexes[int(key)] for key in chosen]


def suggest_database(desk: Desk, index: Index) -> dict[str, Any]:
    """Return what the record of an index probably says."""
    listed = list_tools(desk.servers.values())
    tools = [name for name, tool in listed.items() if tool.argument == "index_name"]
    return {
        **index.suggest(),
        "mcp_tool_name": tools[0] if tools else RIGHT_TOOL,
        "arguments": {"index_name": index.argument},
    }


def drop_flawed(routes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the routes whose patterns end; say what is wrong with the others."""
    from hookwright.patterns.check import check_routes

    flaws = check_routes(routes)
    for flaw in flaws:
        print_line(f"  left out: {flaw}")
    wrong = {flaw.route for flaw in flaws}
    return {name: route for name, route in routes.items() if name not in wrong}


def ask_routes(desk: Desk, old: list[OldFile]) -> dict[str, dict[str, Any]]:
    """Ask for the routes, one at least."""
    routes: dict[str, dict[str, Any]] = {}
    for file in old:
        fresh = {name: name for name in file.routes if name not in routes}
        chosen = ask_several(f"Which routes of {file.path}?", fresh, fresh) if fresh else []
        routes.update(drop_flawed({name: file.routes[name] for name in chosen}))
    ready = {one.name: one for one in find_ready_routes()}
    titles = {
        name: excerpt(f"{name} ({count(len(one.routes), 'route')}): {one.about}", TITLE)
        for name, one in ready.items()
    }
    for name in ask_several("Which ready routes?", titles):
        added = {key: route for key, route in ready[name].routes.items() if key not in routes}
        routes.update(added)
        preview_routes(desk, routes, list(added)[:1])
    desk.routes = list(routes)
    while not routes or ask_yes("A route of your own?", default=False):
        if settled := settle_route(desk, routes):
            routes[settled[0]] = settled[1]
            desk.routes.append(settled[0])
    return routes
