"""Ask for everything that a new project needs, and offer what this machine already has."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.answers.records import name_database
from hookwright.answers.schema import describe_choices
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.discovery.indexes import Index, find_indexes
from hookwright.discovery.old_files import OldFile, find_old_files, is_mendable, mend
from hookwright.discovery.ready_routes import find_ready_routes
from hookwright.discovery.search_tools import RIGHT_TOOL, WRONG_TOOL, list_search_tools
from hookwright.project.render import render
from hookwright.wizard.ask import ask_several, ask_text, ask_yes
from hookwright.wizard.databases import fill_database, preview_databases
from hookwright.wizard.form import Form
from hookwright.wizard.lessons import ask_lessons
from hookwright.wizard.routes import fill_route, preview_routes
from hookwright.wizard.servers import ask_servers, list_missing
from hookwright_console.terminal import count, excerpt, print_line

TITLE = 90  # characters of a choice


def ask_answers(destination: Path, source: str, template: Path) -> dict[str, Any]:
    """Ask for the answers of a new project.

    Args:
        destination: Where the project goes.
        source: The template that it is rendered from.
        template: The folder of the template that checks the answers.

    """
    from hookwright.answers.validation import check_answers, find_default

    answers: dict[str, Any] = {
        "project_name": ask_text(
            "What is the project called?",
            find_default(template, "project_name", destination),
            example="my-hooks",
            check=lambda text: check_answers(template, "project_name", text),
        )
    }
    form = Form(template, list_servers(Path.cwd()), lambda *hook: build_hook(source, *hook))
    indexes = find_indexes(Path.cwd())
    old = find_old_files([Path.cwd(), destination], form.check)
    tell_found(form, indexes, old)
    routed = any(file.routes for file in old)
    searched = indexes or not routed or any(file.databases for file in old)
    chosen = (["docsearch"] if searched else []) + (["tool_routing"] if routed else [])
    answers["hooks"] = ask_several(
        "Which hooks do you want?", describe_choices("hooks"), chosen, least=1
    )
    if "docsearch" in answers["hooks"]:
        answers["databases"] = ask_databases(form, indexes, old)
        missing = list_missing(answers["databases"], form.servers.values())
        answers["mcp_servers"] = ask_servers(template, missing)
    if "tool_routing" in answers["hooks"]:
        answers["routes"] = ask_routes(form, old)
    if "lesson_search" in answers["hooks"]:
        answers.update(ask_lessons(template))
    return answers


def build_hook(source: str, name: str, answers: Mapping[str, Any]) -> bytes:
    """Return a hook, rendered from a template and some answers."""
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        render(source, Path(folder, "project"), {**answers, "hooks": [name]})
        return Path(folder, "project", "hooks", f"{name}.py").read_bytes()


def tell_found(form: Form, indexes: list[Index], old: list[OldFile]) -> None:
    """Print what this machine has that a record can use."""
    if indexes:
        print_line(f"LEANN has {', '.join(index.name for index in indexes)}")
    if form.servers:
        print_line(f"The client has the MCP servers {', '.join(form.servers)}")
    for file in old:
        held = [count(len(file.databases), "database")] if file.databases else []
        held += [count(len(file.routes), "route")] if file.routes else []
        print_line(f"{file.path} has {' and '.join(held) or 'no valid records'}")
        for problem in file.complaints:
            print_line(f"  left out: {problem}")


def ask_databases(form: Form, indexes: list[Index], old: list[OldFile]) -> list[dict[str, Any]]:
    """Ask for one or more databases."""
    databases: list[dict[str, Any]] = []
    for file in old:
        taken = take_databases(form, file)
        if taken:
            preview_databases(form, databases, taken)
        databases += taken
        form.databases = [name_database(database) for database in databases]
    paths = [str(Path(database["path"]).expanduser()) for database in databases]
    for index in choose_indexes([one for one in indexes if str(one.path) not in paths]):
        fixed: dict[str, Any] = {"path": str(index.path)}
        filled = fill_database(form, databases, fixed, suggest_database(form, index))
        add_database(form, databases, filled)
    while not databases or ask_yes("Another database?", default=False):
        add_database(form, databases, fill_database(form, databases))
    return databases


def add_database(
    form: Form, databases: list[dict[str, Any]], filled: dict[str, Any] | None
) -> None:
    """Add a database unless the user dropped it."""
    if filled:
        databases.append(filled)
        form.databases.append(name_database(filled))


def take_databases(form: Form, file: OldFile) -> list[dict[str, Any]]:
    """Ask which databases of an old file to take, and whether to fix their tools."""
    names = {str(place): name_database(one) for place, one in enumerate(file.databases)}
    fresh = {key: name for key, name in names.items() if name not in form.databases}
    if not fresh:
        return []
    chosen = ask_several(f"Which databases of {file.path}?", fresh, fresh)
    taken = {names[key]: file.databases[int(key)] for key in chosen}
    wrong = [name for name, one in taken.items() if is_mendable(one)]
    if wrong:
        print_line(f"{', '.join(wrong)}: LEANN has no tool {WRONG_TOOL}, but {RIGHT_TOOL}")
        if ask_yes("Use that, with the index at the end of the path?"):
            taken.update({name: mend(taken[name]) for name in wrong})
    return list(taken.values())


def choose_indexes(indexes: list[Index]) -> list[Index]:
    """Ask which of LEANN's indexes to use."""
    if not indexes:
        return []
    titles = {str(place): f"{one.name} ({one.path})" for place, one in enumerate(indexes)}
    chosen = ask_several("Which of LEANN's indexes should searches go to?", titles, titles)
    return [indexes[int(key)] for key in chosen]


def suggest_database(form: Form, index: Index) -> dict[str, Any]:
    """Return the suggested record of an index."""
    listed = list_search_tools(form.servers.values())
    tools = [name for name, tool in listed.items() if tool.argument == "index_name"]
    return {
        **index.suggest(),
        "mcp_tool_name": tools[0] if tools else RIGHT_TOOL,
        "arguments": {"index_name": index.argument},
    }


def drop_flawed(routes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the routes with sound patterns; print what is wrong with the others."""
    from hookwright.patterns.check import check_routes

    flaws = check_routes(routes)
    for flaw in flaws:
        print_line(f"  left out: {flaw}")
    wrong = {flaw.route for flaw in flaws}
    return {name: route for name, route in routes.items() if name not in wrong}


def ask_routes(form: Form, old: list[OldFile]) -> dict[str, dict[str, Any]]:
    """Ask for one or more routes."""
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
        preview_routes(form, routes, list(added)[:1])
    form.routes = list(routes)
    while not routes or ask_yes("A route of your own?", default=False):
        if filled := fill_route(form, routes):
            routes[filled[0]] = filled[1]
            form.routes.append(filled[0])
    return routes
