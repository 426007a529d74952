"""Ask for everything that a new project needs: three questions, or each record."""

import re
import shutil
import tempfile
from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from hookwright.answers.schema import describe_choices, list_fields, name_database
from hookwright.clients.claude.matchers import SEARCH
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
from hookwright.discovery.old_files import OldFile, correct_tool, find_old_files, names_wrong_tool
from hookwright.discovery.ready_routes import ReadyRoutes, find_ready_routes
from hookwright.discovery.search_tools import (
    LEANN_COMMAND,
    RIGHT_TOOL,
    WRONG_TOOL,
    Index,
    find_indexes,
)
from hookwright.documentation.database_records import (
    find_database,
    list_installed_records,
    list_made,
)
from hookwright.hooks.registry import HOOKS
from hookwright.installer.files import peek
from hookwright.lesson_server import read_usual_url
from hookwright.rendered_hooks import render_hook
from hookwright.template.render import render
from hookwright.template.store import is_own
from hookwright.wizard.databases import ask_servers, fill_database, list_missing, preview_databases
from hookwright.wizard.dialogue import Dialogue
from hookwright.wizard.findings import (
    Findings,
    describe_ready,
    drop_flawed,
    is_installed,
    report_found,
    suggest_database,
)
from hookwright.wizard.form import Form
from hookwright.wizard.routes import fill_route, preview_routes
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import count

WAYS = {
    "quick": "quick: what is on this machine, and defaults; three questions",
    "full": "full: each record, one question at a time",
}
QUICK_PURPOSE = (
    "Three questions make a project from what is on this machine; hookwright edit changes it later."
)
SETUP = (
    "hookwright setup NAME makes a database and a project for it (hookwright setup --list has "
    "names)"
)
REGISTRIES = "registries"  # most machines have its tools, even without a private registry
REGISTRY_SETTINGS = (".npmrc", "~/.npmrc", "~/.config/pip/pip.conf", "~/.pip/pip.conf")
PRIVATE = re.compile(
    rb"/artifactory/api/|//npm[.]pkg[.]github[.]com|//pkgs[.]dev[.]azure[.]com|-npm[.]pkg[.]dev/"
)
# The headings and purposes of sections.
OLD = "Records of an earlier hook that the new one can use unchanged."
OLD_DATABASES = ("Databases of an earlier hook", OLD)
OLD_ROUTES = ("Routes of an earlier hook", OLD)
MADE = ("Databases", "Documentation that hookwright setup made into databases on this machine.")
INDEXES = ("Indexes", "LEANN's indexes on this machine; each one becomes a database.")
READY = (
    "Ready routes",
    "Routes that come with Hookwright, for sites that have a better tool than the web.",
)
LESSONS_PURPOSE = "The lesson server finds relevant lessons; the hook adds them to the prompt."


def ask_answers(
    dialogue: Dialogue, destination: Path, source: str, template: Path, *, quick: bool
) -> dict[str, Any]:
    """Ask for the answers of a project rendered from `source`; `template` checks the answers."""
    servers = list_servers(Path.cwd())
    form = Form(template, servers, lambda *hook: build_hook(source, *hook), dialogue=dialogue)
    used = frozenset(find_database(record) for _, record in list_installed_records())
    old = find_old_files([Path.cwd(), destination], form.check)
    found = Findings(find_indexes(Path.cwd()), old, list_made(), used)
    report_found(form, found)
    name = ""
    if quick or dialogue.ask_choice("How do you want to start?", WAYS) == "quick":
        answers = ask_quickly(form, destination, found)
        if answers["hooks"]:
            return answers
        if not dialogue.attended:
            raise RefusedError(
                f"nothing on this machine to make a project from: {SETUP}, or run hookwright new "
                "to answer all questions"
            )
        name = answers["project_name"]
        dialogue.print("No database or route is chosen, so here are all questions.")
    return ask_fully(form, destination, found, name)


def build_hook(source: str, name: str, answers: Mapping[str, Any]) -> bytes:
    answers = {**answers, "hooks": [name]}
    if is_own(source) and (script := render_hook(name, answers)):
        return script
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        render(source, Path(folder, "project"), answers)
        return Path(folder, "project", "hooks", f"{name}.py").read_bytes()


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
        form.dialogue.print("No documentation databases yet: make one with hookwright setup.")

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

    chosen = form.dialogue.section("Quick start", QUICK_PURPOSE, ask)
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
    """Return whether the user has the tools that ready-made routes for these sites need."""
    if ready.name != REGISTRIES:
        return is_installed(form, ready)
    named = any(PRIVATE.search(peek(Path(path).expanduser())) for path in REGISTRY_SETTINGS)
    return named and is_installed(form, ready)


def ask_fully(form: Form, destination: Path, found: Findings, known: str = "") -> dict[str, Any]:
    """Ask for each answer and record, and for the project's name unless it is known."""

    def ask_project() -> dict[str, Any]:
        name = known or form.ask_project_name(destination)
        routed = any(file.routes for file in found.old)
        searched = (
            found.made or found.indexes or not routed or any(file.databases for file in found.old)
        )
        chosen = (["docsearch"] if searched else []) + (["tool_routing"] if routed else [])
        hooks = form.dialogue.ask_several(
            "Which hooks do you want?", describe_choices("hooks"), chosen, least=1
        )
        return {"project_name": name, "hooks": hooks, **ask_clients(form)}

    answers = form.dialogue.section("Project", "Its name and its hooks.", ask_project)
    if "docsearch" in answers["hooks"] and (databases := ask_databases(form, found)):
        answers["databases"] = databases
        missing = list_missing(databases, form.servers.values())
        answers["mcp_servers"] = ask_servers(form.dialogue, form.template, missing)
        answers.update(ask_hints(form.dialogue, answers.get("clients", ())))
    if "tool_routing" in answers["hooks"] and (routes := ask_routes(form, found.old)):
        answers["routes"] = routes
    if "lesson_search" in answers["hooks"]:
        answers.update(ask_lessons(form.dialogue, form.template))
    for hook in HOOKS:
        if hook.name in answers["hooks"] and hook.records and hook.records not in answers:
            answers["hooks"].remove(hook.name)
            form.dialogue.print(f"{hook.name} is left out: it has no {hook.record}")
    if not answers["hooks"]:
        raise ReportedError(f"no database or route to make a project from: {SETUP}")
    return answers


def ask_clients(form: Form) -> dict[str, list[str]]:
    here = [client for client in read_dialects() if shutil.which(client)]
    if not set(here) - {CLAUDE}:
        return {}
    question, choices = "Which coding agents do you use?", describe_choices("clients")
    return {"clients": form.dialogue.ask_several(question, choices, here, least=1)}


def ask_databases(form: Form, found: Findings) -> list[dict[str, Any]]:
    databases = choose_made(form, found)
    if databases:
        preview_databases(form, [], databases[:1])
    form.databases = [name_database(database) for database in databases]
    for file in found.old:
        taken = take_databases(form, file)
        if taken:
            preview_databases(form, databases, taken)
        databases += taken
        form.databases = [name_database(database) for database in databases]
    paths = [str(Path(database["path"]).expanduser()) for database in databases]
    for index in choose_indexes(
        form, [candidate for candidate in found.indexes if str(candidate.path) not in paths]
    ):
        fixed: dict[str, Any] = {"path": str(index.path)}
        filled = fill_database(form, databases, fixed, suggest_database(form, index))
        add_database(form, databases, filled)
    while form.dialogue.ask_yes(f"{'Another' if databases else 'A'} database?", default=False):
        add_database(form, databases, fill_database(form, databases))
    return databases


def ask_hints(dialogue: Dialogue, clients: Collection[str]) -> dict[str, bool]:
    """Ask whether to add hints to prompts, if a client has searches that hooks cannot see."""
    dialects = read_dialects()
    blind = [dialects[client].title for client in clients if not dialects[client].name_tool(SEARCH)]
    if not blind:
        return {}
    question = f"No hook sees the searches of {' and '.join(blind)}. Add a line to prompts instead?"
    return {"prompt_hints": dialogue.ask_yes(question, default=len(blind) == len(clients))}


def add_database(
    form: Form, databases: list[dict[str, Any]], filled: dict[str, Any] | None
) -> None:
    if filled:
        databases.append(filled)
        form.databases.append(name_database(filled))


def take_databases(form: Form, file: OldFile) -> list[dict[str, Any]]:
    listed = {name_database(database): database for database in file.databases}
    fresh = {name: name for name in listed if name not in form.databases}
    if not fresh:
        return []

    def ask() -> list[dict[str, Any]]:
        chosen = form.dialogue.ask_several(f"Which databases of {file.path}?", fresh, fresh)
        taken = {name: listed[name] for name in chosen}
        wrong = [name for name, routes in taken.items() if names_wrong_tool(routes)]
        if wrong:
            form.dialogue.print(
                f"{', '.join(wrong)}: LEANN has no tool {WRONG_TOOL}, but {RIGHT_TOOL}"
            )
            if form.dialogue.ask_yes("Use that, and take the index name from the end of the path?"):
                taken.update({name: correct_tool(taken[name]) for name in wrong})
        return list(taken.values())

    return form.dialogue.section(*OLD_DATABASES, ask)


def choose(
    form: Form,
    heading: tuple[str, str],
    question: str,
    titles: Mapping[str, str],
    usual: Collection[str],
) -> list[str]:
    """Ask in a section of its own which items to use, if there are any; return their keys."""
    if not titles:
        return []
    ask = form.dialogue.ask_several
    return form.dialogue.section(*heading, lambda: ask(question, titles, usual))


def choose_made(form: Form, found: Findings) -> list[dict[str, Any]]:
    made = {name_database(record): record for record in found.made}
    titles = {name: f"{name} ({record['description']})" for name, record in made.items()}
    question = "Which of them should searches go to?"
    return [made[name] for name in choose(form, MADE, question, titles, found.choose_unused(made))]


def choose_indexes(form: Form, indexes: list[Index]) -> list[Index]:
    titles = {str(index.path): f"{index.name} ({index.path})" for index in indexes}
    question = "Which of LEANN's indexes should searches go to?"
    chosen = choose(form, INDEXES, question, titles, titles)
    return [index for index in indexes if str(index.path) in chosen]


def ask_routes(form: Form, old: list[OldFile]) -> dict[str, dict[str, Any]]:
    routes: dict[str, dict[str, Any]] = {}
    for file in old:
        routes.update(take_routes(form, file, routes))
    ready = {ready_route.name: ready_route for ready_route in find_ready_routes()}
    titles = {name: describe_ready(form, group) for name, group in ready.items()}
    for name in choose(form, READY, "Which ready routes?", titles, ()):
        added = {key: route for key, route in ready[name].routes.items() if key not in routes}
        routes.update(added)
        preview_routes(form, routes, list(added)[:1])
    form.routes = list(routes)
    while form.dialogue.ask_yes("Add a route of your own?", default=False):
        if filled := fill_route(form, routes):
            routes[filled[0]] = filled[1]
            form.routes.append(filled[0])
    return routes


def take_routes(form: Form, file: OldFile, known: Collection[str]) -> dict[str, dict[str, Any]]:
    fresh = {name: name for name in file.routes if name not in known}
    chosen = choose(form, OLD_ROUTES, f"Which routes of {file.path}?", fresh, fresh)
    return drop_flawed(form, {name: file.routes[name] for name in chosen})


def ask_lessons(dialogue: Dialogue, template: Path) -> dict[str, Any]:
    from hookwright.answers.validation import check_answers

    def ask() -> dict[str, Any]:
        transport = dialogue.ask_choice(
            "How should prompts reach the lesson server?", describe_choices("transport")
        )
        url = dialogue.ask_text(
            "Where is the lesson server?",
            read_usual_url(),
            check=lambda text: check_answers(
                template, "lesson_server_url", text, {"transport": transport}
            ),
        )
        return {"transport": transport, "lesson_server_url": url}

    return dialogue.section("Lessons", LESSONS_PURPOSE, ask)
