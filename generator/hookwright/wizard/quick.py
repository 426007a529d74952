"""Build a new project's answers from this machine's configuration, with three questions."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

from hookwright.answers.schema import list_fields, name_database
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
from hookwright.discovery.ready_routes import ReadyRoutes, find_ready_routes
from hookwright.discovery.search_tools import LEANN_COMMAND
from hookwright.installer.files import peek
from hookwright.wizard.databases import preview_databases
from hookwright.wizard.findings import (
    Findings,
    describe_ready,
    drop_flawed,
    is_installed,
    suggest_database,
)
from hookwright.wizard.form import Form
from hookwright.wizard.routes import preview_routes
from hookwright.wizard.servers import list_missing
from hookwright_console.terminal import count

PURPOSE = "Three questions make a project of what this machine has; hookwright edit corrects it."
REGISTRIES = "registries"  # most machines have their tools, whether or not a registry is private
REGISTRY_SETTINGS = (".npmrc", "~/.npmrc", "~/.config/pip/pip.conf", "~/.pip/pip.conf")
PRIVATE = re.compile(
    rb"/artifactory/api/|//npm[.]pkg[.]github[.]com|//pkgs[.]dev[.]azure[.]com|-npm[.]pkg[.]dev/"
)


def ask_quickly(form: Form, destination: Path, found: Findings) -> dict[str, Any]:
    """Ask for a new project's name, databases and routes; return its answers.

    The answers have no hooks if the user chooses no database and no route.
    """
    databases = {name_database(database): database for database in list_databases(form, found)}
    groups = {str(file.path): file.routes for file in found.old if file.routes}
    ready = {ready_route.name: ready_route for ready_route in find_ready_routes()}
    titles = {name: f"{name} ({count(len(routes), 'route')})" for name, routes in groups.items()}
    usual = [*groups, *(name for name, group in ready.items() if is_in_use(form, group))]
    for name, group in ready.items():
        titles[name] = describe_ready(form, group)
        groups[name] = group.routes
    if not databases:
        form.dialogue.print(
            "There is no documentation database here yet: hookwright setup makes one."
        )

    def ask() -> dict[str, Any]:
        named = {name: f"{name} ({database['path']})" for name, database in databases.items()}
        return {
            "project_name": form.ask_project_name(destination),
            "databases": form.dialogue.ask_several(
                "Which databases?", named, found.choose_unused(named)
            )
            if named
            else [],
            "routes": form.dialogue.ask_several("Which routes?", titles, usual),
        }

    chosen = form.dialogue.section("Quick start", PURPOSE, ask)
    taken = [databases[name] for name in chosen["databases"]]
    for note in chain.from_iterable(map(explain_keywords, taken)):
        form.dialogue.print(note)
    routes: dict[str, dict[str, Any]] = {}
    for name in chosen["routes"]:
        routes |= {key: route for key, route in groups[name].items() if key not in routes}
    routes = drop_flawed(form, routes)
    answers: dict[str, Any] = {"project_name": chosen["project_name"], "hooks": []}
    if taken:
        answers["hooks"].append("docsearch")
        missing = list_missing(taken, form.servers.values())
        servers = {"leann": {"command": LEANN_COMMAND}} if "leann" in missing else {}
        answers |= {"databases": taken, "mcp_servers": servers}
        preview_databases(form, [], taken[:1])
    if routes:
        answers["hooks"].append("tool_routing")
        answers["routes"] = routes
        preview_routes(form, routes, list(routes)[:1])
    return answers


def list_databases(form: Form, found: Findings) -> list[dict[str, Any]]:
    records = [*found.made, *(database for file in found.old for database in file.databases)]
    paths = {str(Path(record["path"]).expanduser()) for record in records}
    for index in found.indexes:
        if str(index.path) in paths:
            continue
        record = {"path": str(index.path), **suggest_database(form, index)}
        if problem := form.check("databases", record, index.name):
            form.dialogue.print(f"left out: {problem}", "  ", "    ")
        else:
            known = [name for name in list_fields("database") if name in record]
            records.append(mark_ordinary({name: record[name] for name in known}))
    return list({name_database(record): record for record in reversed(records)}.values())[::-1]


def is_in_use(form: Form, ready: ReadyRoutes) -> bool:
    """Return whether the user has the tools of ready-made routes, for these sites."""
    if ready.name != REGISTRIES:
        return is_installed(form, ready)
    named = any(PRIVATE.search(peek(Path(path).expanduser())) for path in REGISTRY_SETTINGS)
    return named and is_installed(form, ready)
