"""Add a database, a route, lessons, a hook or a client, asking for missing fields."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from hookwright.answers.schema import build_sample, describe_choices, name_database
from hookwright.answers.validation import check_answers, check_record, refuse_faults
from hookwright.catalogues.catalogue import replace_answers
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply, report
from hookwright.cli.change_record import Before, First
from hookwright.cli.current_project import ChangeOptions, take_change_options
from hookwright.cli.installation import warn_of_records
from hookwright.cli.options import HERE
from hookwright.cli.terminal import print_note
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.clients.dialects import read_dialects
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
from hookwright.hooks.registry import HOOKS, LESSON_SEARCH
from hookwright.lesson_server import explain_no_server, find_url
from hookwright.patterns.url_pattern import propose_instead
from hookwright.project.change import (
    check_committed,
    check_free,
    commit_project,
    create_project,
    plan_change,
)
from hookwright.project.current import find_project_place, list_installed
from hookwright.project.reader import Project, holds_project
from hookwright.project.record_changes import (
    Position,
    add_databases,
    add_routes,
    list_names,
    move_record,
)
from hookwright.simulate.trial import list_warnings
from hookwright.template.store import find_checks, find_own_source, find_template
from hookwright.wizard.databases import ask_servers, fill_database, list_missing
from hookwright.wizard.dialogue import can_ask
from hookwright.wizard.drafts import drafting
from hookwright.wizard.form import Form
from hookwright.wizard.routes import NAME, fill_route, split_name
from hookwright_console.errors import MisusedError, NoTerminalError, RefusedError, ReportedError
from hookwright_console.terminal import agree, print_line
from hookwright_console.text import shorten, shorten_home

REQUIRED = {NAME: "NAME", **list_required("route")}


@contextmanager
def open_form(
    verb: str, fields: Mapping[str, Any], required: Mapping[str, str], options: ChangeOptions
) -> Iterator[tuple[Project, Form, bool]]:
    """Open the project, and the form for a record.

    Yields also whether a required field is missing, so that the user is asked. The answers are kept
    as a draft if the user is interrupted.
    """
    missing = [option for name, option in required.items() if name not in fields]
    if missing and not can_ask():
        raise NoTerminalError(*missing)
    project = options.open()
    check_committed(project)
    form = Form(
        find_checks(project.source),
        list_servers(Path.cwd()),
        project.answers,
        databases=list_names(project)[: len(project.databases)],
        routes=list(project.routes),
    )
    is_chosen = options.project == HERE and project.folder != Path.cwd()
    answered = ["--project", str(project.folder)] if is_chosen else []
    draft = drafting(form.dialogue, verb, project.folder, *answered)
    with draft if missing else nullcontext():
        yield project, form, bool(missing)


@take_change_options
@take_fields("database")
def add_database(fields: dict[str, Any], *, options: ChangeOptions) -> int:
    """Add a database, asking for fields that no option specifies."""
    required = list_required("database")
    with open_form("add database", fields, required, options) as (project, form, asks):
        template = form.template
        if asks:
            sample = {**build_sample("databases"), **fields}
            refuse_faults(template, "databases", [sample], skip=2)
            add_databases(project, [{"keywords": [""], **fields}])  # is the name free?
            record, servers = form.dialogue.run(lambda: ask_record(project, form, fields))
        else:
            record, servers = mark_ordinary(fields), {}
            if check_record(template, "databases", record):  # an older template rejects the record
                record = fields
            print_note(*explain_keywords(record))
        known = project.databases
        refuse_faults(template, "databases", [*known, record], earlier=known, skip=2)
        change = plan_change(project, add_databases(project, [record]) | servers)
        warn_of_records(project, [record])
        title = f"Add the database {name_database(record)}"
        return apply(change, title, options, default=asks)


def ask_record(
    project: Project, form: Form, fields: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    record = fill_database(form, project.databases, fields)
    if record is None:
        raise ReportedError("the database was skipped: nothing changed")
    servers = ask_servers(form, list_missing([record], form.servers.values(), project.servers))
    return record, {"mcp_servers": {**project.servers, **servers}} if servers else {}


@take_change_options
@take_fields("route")
def add_route(
    fields: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The name of the route.", show_default=False)] = "",
    *,
    before: Before = "",
    first: First = False,
    options: ChangeOptions,
) -> int:
    """Add a route, asking for fields that no option specifies."""
    if before and first:
        raise typer.BadParameter("use either --before or --first")
    if name:
        fields = {NAME: name, **fields}
    allows = fields.get("action") == "allow"
    required = REQUIRED if allows else {**REQUIRED, "message": "--message"}
    position = Position(after=False, other=before) if before or first else None
    with open_form("add route", fields, required, options) as (opened, form, asks):
        if asks:
            sample = {**build_sample("routes"), **split_name({NAME: "", **fields})[1]}
            refuse_faults(form.template, "routes", {name or "new": sample})
            add_routes(opened, {name: sample})  # is the name free?
            filled = form.dialogue.run(lambda: fill_route(form, opened.routes, fields))
            if filled is None:
                raise ReportedError("the route was skipped: nothing changed")
            return apply_route(opened, *filled, position, asks=True, options=options)
        return apply_route(opened, *split_name(fields), position, asks=False, options=options)


def add_proposed(name: str, record: dict[str, Any], options: dict[str, Any]) -> int:
    """Add a route proposed by `lesson-search promote` to the current project."""
    chosen = ChangeOptions(**options)
    opened = chosen.open()
    check_committed(opened)
    kept = split_name({NAME: name, **record})
    return apply_route(opened, *kept, None, asks=False, options=chosen)


def apply_route(
    project: Project,
    name: str,
    record: dict[str, Any],
    position: Position | None,
    *,
    asks: bool,
    options: ChangeOptions,
) -> int:
    refuse_faults(find_checks(project.source), "routes", {name: record})
    answers = add_routes(project, {name: record})
    if position:
        extended = replace_answers(project, answers)
        answers |= move_record(extended, f"routes.{name}", position)
    lines = [] if asks else list_warnings(answers["routes"], [name])
    if not asks and "tool" not in record and (better := propose_instead(record["pattern"])):
        line = f"routes.{name}: the URL does not match itself as a pattern"
        lines.append(f"{line}: use --pattern {quote(better)}")
    if "field" not in record and record.get("tool", "").startswith("mcp__"):
        lines.append(f"routes.{name} matches the field url of the input: use --field for another")
    print_note(*lines)
    warn_of_records(project, routes={name: record})
    return apply(plan_change(project, answers), f"Add the route {name}", options, default=asks)


Url = Annotated[
    str,
    typer.Option(help="The URL of the lesson server.", show_default="where yours listens"),
]


@take_change_options
def add_lessons(url: Url = "", *, options: ChangeOptions) -> int:
    """Add lessons to prompts; without a project, create ~/my-hooks."""
    url = url or find_url()
    if fault := check_answers(find_template(), "lesson_server_url", url):
        raise MisusedError(fault)
    answers = {"lesson_server_url": url}
    place = find_project_place(None)
    takes_place = options.project == HERE and not holds_project(Path.cwd()) and not list_installed()
    if takes_place and not holds_project(place):
        code = make_project(place, {"hooks": [LESSON_SEARCH.name], **answers}, options)
    else:
        opened = (replace(options, project=place) if takes_place else options).open()
        code = add_part(opened, "hooks", LESSON_SEARCH.name, answers, options)
    if not options.dry_run and (missing := explain_no_server(url)):
        print_note(missing)
    return code


@take_change_options
def add_hook(
    name: Annotated[str, typer.Argument(metavar="|".join(describe_choices("hooks")))],
    *,
    options: ChangeOptions,
) -> int:
    """Add a hook; one that needs records comes with its first record."""
    hook = next((hook for hook in HOOKS if hook.name == name), None)
    if hook and hook.record:
        raise RefusedError(f"{name} comes with its first record: run hookwright add {hook.record}")
    check_choice("hooks", name)
    return add_part(options.open(), "hooks", name, {}, options)


@take_change_options
def add_client(
    name: Annotated[str, typer.Argument(metavar="|".join(read_dialects()))],
    *,
    options: ChangeOptions,
) -> int:
    """Add a coding agent that the hooks are for."""
    check_choice("clients", name)
    opened = options.open()
    code = add_part(opened, "clients", name, {}, options)
    if not code and not options.dry_run:
        install = opened.name_command(f"install --client {name}")
        print_line(f"to install the hooks there, run {install}")
    return code


def check_choice(question: str, name: str) -> None:
    if name not in (known := describe_choices(question)):
        noun = question.removesuffix("s")
        raise MisusedError(f"unknown {noun} {shorten(name)}: choose from {', '.join(known)}")


def add_part(
    opened: Project, question: str, name: str, answers: dict[str, Any], options: ChangeOptions
) -> int:
    here = opened.hooks if question == "hooks" else opened.clients
    if name in here:
        raise RefusedError(
            f"{opened.name} already has {name}: {opened.name_command('edit')} shows its answers"
        )
    added = [*here, name]
    refuse_faults(find_checks(opened.source), question, added)
    change = plan_change(opened, {question: added, **answers})
    return apply(change, f"Add {name}", options, default=True)


def make_project(place: Path, answers: dict[str, Any], options: ChangeOptions) -> int:
    check_free(place)
    shown = shorten_home(str(place))
    if options.dry_run:
        print_line(f"would make {shown}: dry run, nothing changed")
        return report(options, "Add lesson_search")
    agree(f"Make the project {shown}?", yes=options.yes, default=True)
    create_project(place, answers, find_own_source(), commits=options.commit)
    if options.commit and (note := commit_project(place)):
        print_note(note)
    print_line(f"made {shown}; next: hookwright install --project {place}")
    return report(options, "Add lesson_search", applied=True)
