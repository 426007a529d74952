"""Ask for everything that a new project needs: three questions, or each record."""

import shutil
from collections.abc import Collection
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from hookwright.answers.schema import describe_choices, name_database
from hookwright.answers.validation import check_answers
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.clients.claude.tool_names import SEARCH
from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright.discovery.ambiguous_keywords import explain_keywords
from hookwright.discovery.record_files import correct_tool
from hookwright.discovery.search_tools import LEANN_COMMAND, RIGHT_TOOL, WRONG_TOOL
from hookwright.hooks.registry import HOOKS
from hookwright.lesson_server import find_url
from hookwright.patterns.check import check_routes
from hookwright.wizard.databases import ask_servers, fill_database, list_missing, preview_database
from hookwright.wizard.dialogue import Dialogue
from hookwright.wizard.findings import Findings, find_candidates
from hookwright.wizard.form import Form
from hookwright.wizard.routes import fill_route, preview_route
from hookwright_console.errors import DeclinedError, RefusedError

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
# The headings and purposes of sections.
FOUND_DATABASES = ("Databases", "Documentation databases that are on this machine.")
FOUND_ROUTES = ("Routes", "Routes for sites that have a better tool than the web.")
LESSONS_PURPOSE = "The lesson server finds relevant lessons; the hook adds them to the prompt."


def ask_answers(
    dialogue: Dialogue, destination: Path, template: Path, *, quick: bool
) -> dict[str, Any]:
    """Ask for the answers of a project, checked by `template`."""
    form = Form(template, list_servers(Path.cwd()), dialogue=dialogue)
    found = find_candidates(form, destination)
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


def ask_quickly(form: Form, destination: Path, found: Findings) -> dict[str, Any]:
    """Ask for a new project's name, databases and routes; return its answers.

    The answers have no hooks if the user chooses no database and no route.
    """
    if not found.databases:
        form.dialogue.print("No documentation databases yet: make one with hookwright setup.")

    def ask() -> tuple[str, list[dict[str, Any]], dict[str, dict[str, Any]]]:
        name = form.ask_project_name(destination)
        return name, choose_databases(form, found), choose_routes(form, found)

    name, databases, routes = form.dialogue.section("Quick start", QUICK_PURPOSE, ask)
    answers: dict[str, Any] = {"project_name": name}
    for note in chain.from_iterable(map(explain_keywords, databases)):
        form.dialogue.print(note)
    if databases:
        missing = list_missing(databases, form.servers.values())
        servers = {"leann": {"command": LEANN_COMMAND}} if "leann" in missing else {}
        answers |= {"databases": databases, "mcp_servers": servers}
        preview_database(form, [], databases[0])
    if routes:
        answers["routes"] = routes
    preview_route(form, routes)
    return {**answers, "hooks": [hook.name for hook in HOOKS if hook.records in answers]}


def choose_databases(form: Form, found: Findings) -> list[dict[str, Any]]:
    titles = {name: f"{name} ({record['path']})" for name, record in found.databases.items()}
    chosen = form.dialogue.ask_several("Which databases?", titles, found.unused)
    return [found.databases[name] for name in chosen]


def choose_routes(form: Form, found: Findings) -> dict[str, dict[str, Any]]:
    """Return the routes of the groups that the user chooses, without those that have a fault."""
    titles = {name: group.title for name, group in found.groups.items()}
    usual = [name for name, group in found.groups.items() if group.is_usual]
    routes: dict[str, dict[str, Any]] = {}
    for name in form.dialogue.ask_several("Which routes?", titles, usual):
        for key, route in found.groups[name].routes.items():
            routes.setdefault(key, route)
    for flaw in check_routes(routes):
        form.dialogue.print(f"left out: {flaw}", "  ", "    ")
        routes.pop(flaw.route, None)
    return routes


def ask_fully(form: Form, destination: Path, found: Findings, known: str = "") -> dict[str, Any]:
    """Ask for each answer and record, and for the project's name unless it is known."""

    def ask_project() -> dict[str, Any]:
        name = known or form.ask_project_name(destination)
        chosen = ["docsearch"] if found.databases or not found.has_old_routes else []
        chosen += ["tool_routing"] if found.has_old_routes else []
        hooks = form.dialogue.ask_several(
            "Which hooks do you want?", describe_choices("hooks"), chosen, least=1
        )
        return {"project_name": name, "hooks": hooks, **ask_clients(form)}

    answers = form.dialogue.section("Project", "Its name and its hooks.", ask_project)
    if "docsearch" in answers["hooks"] and (databases := ask_databases(form, found)):
        answers["databases"] = databases
        missing = list_missing(databases, form.servers.values())
        answers["mcp_servers"] = ask_servers(form, missing)
        answers.update(ask_hints(form.dialogue, answers.get("clients", ())))
    if "tool_routing" in answers["hooks"] and (routes := ask_routes(form, found)):
        answers["routes"] = routes
    if "lesson_search" in answers["hooks"]:
        answers.update(ask_lessons(form))
    for hook in HOOKS:
        if hook.name in answers["hooks"] and hook.records and hook.records not in answers:
            answers["hooks"].remove(hook.name)
            form.dialogue.print(f"{hook.name} is left out: it has no {hook.record}")
    if not answers["hooks"]:
        raise DeclinedError(f"no database or route to make a project from: {SETUP}")
    return answers


def ask_clients(form: Form) -> dict[str, list[str]]:
    here = [client for client in read_dialects() if shutil.which(client)]
    if not set(here) - {CLAUDE}:
        return {}
    question, choices = "Which coding agents do you use?", describe_choices("clients")
    return {"clients": form.dialogue.ask_several(question, choices, here, least=1)}


def ask_databases(form: Form, found: Findings) -> list[dict[str, Any]]:
    databases: list[dict[str, Any]] = []
    ask = partial(choose_corrected, form, found)
    chosen = form.dialogue.section(*FOUND_DATABASES, ask) if found.databases else []
    guessed = [record for record in chosen if name_database(record) in found.guessed]
    for record in chosen:
        if record not in guessed:
            add_database(form, databases, record)
    if databases:
        preview_database(form, [], databases[0])
    for record in guessed:
        fixed = {"path": record["path"]}
        add_database(form, databases, fill_database(form, databases, fixed, record))
    while form.dialogue.ask_yes(
        f"Add {'another' if databases else 'a documentation'} database?", default=False
    ):
        add_database(form, databases, fill_database(form, databases))
    return databases


def choose_corrected(form: Form, found: Findings) -> list[dict[str, Any]]:
    """Ask for databases, and whether to correct the tool that earlier hooks named wrongly."""
    chosen = choose_databases(form, found)
    corrected = list(map(correct_tool, chosen))
    wrong = [name_database(record) for record in chosen if record not in corrected]
    if not wrong:
        return chosen
    form.dialogue.print(f"{', '.join(wrong)}: LEANN has no tool {WRONG_TOOL}, but {RIGHT_TOOL}")
    question = "Use that, and take the index name from the end of the path?"
    return corrected if form.dialogue.ask_yes(question) else chosen


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


def ask_routes(form: Form, found: Findings) -> dict[str, dict[str, Any]]:
    routes = form.dialogue.section(*FOUND_ROUTES, lambda: choose_routes(form, found))
    preview_route(form, routes)
    form.routes = list(routes)
    while form.dialogue.ask_yes("Add a route of your own?", default=False):
        if filled := fill_route(form, routes):
            routes[filled[0]] = filled[1]
            form.routes.append(filled[0])
    return routes


def ask_lessons(form: Form) -> dict[str, Any]:
    dialogue = form.dialogue

    def ask() -> dict[str, Any]:
        transport = dialogue.ask_choice(
            "How should prompts reach the lesson server?", describe_choices("transport")
        )
        url = dialogue.ask_text(
            "Where is the lesson server?",
            find_url(),
            check=lambda text: check_answers(
                form.template, "lesson_server_url", text, {"transport": transport}
            ),
        )
        return {"transport": transport, "lesson_server_url": url}

    return dialogue.section("Lessons", LESSONS_PURPOSE, ask)
