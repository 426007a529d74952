"""Add a database or a route: ask for missing fields, and plan the change."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from hookwright.answers.schema import build_sample, name_database
from hookwright.answers.validation import check_record, refuse_faults
from hookwright.catalogues.catalogue import replace_answers
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.change_record import Before, First
from hookwright.cli.current_project import ChangeOptions, take_change_options
from hookwright.cli.installation import warn_of_records
from hookwright.cli.terminal import print_note
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
from hookwright.patterns.url_pattern import propose_instead
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.project.record_changes import (
    Position,
    add_databases,
    add_routes,
    list_names,
    move_record,
)
from hookwright.simulate.route_tests import list_warnings
from hookwright.template.store import find_checks
from hookwright.wizard.databases import ask_servers, fill_database, list_missing
from hookwright.wizard.dialogue import can_ask
from hookwright.wizard.drafts import drafting
from hookwright.wizard.form import Form
from hookwright.wizard.routes import NAME, fill_route, split_name
from hookwright_console.errors import NoTerminalError, ReportedError

REQUIRED = {NAME: "NAME", **list_required("route")}


@contextmanager
def opening(
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
    draft = drafting(form.dialogue, verb, project.folder)
    with draft if missing else nullcontext():
        yield project, form, bool(missing)


@take_change_options
@take_fields("database")
def add_database(
    fields: dict[str, Any],
    *,
    options: ChangeOptions,
) -> int:
    """Add a database, asking for fields that the options do not specify."""
    required = list_required("database")
    with opening("add database", fields, required, options) as (project, form, asks):
        template = form.template
        if asks:
            refuse_faults(template, "databases", [{**build_sample("databases"), **fields}])
            record, servers = form.dialogue.run(lambda: ask_record(project, form, fields))
        else:
            record, servers = mark_ordinary(fields), {}
            if check_record(template, "databases", record):  # an older template rejects the record
                record = fields
            print_note(*explain_keywords(record))
        known = project.databases
        refuse_faults(template, "databases", [*known, record], earlier=known)
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
    """Add a route, asking for fields that the options do not specify."""
    if before and first:
        raise typer.BadParameter("use either --before or --first")
    if name:
        fields = {NAME: name, **fields}
    allows = fields.get("action") == "allow"
    required = REQUIRED if allows else {**REQUIRED, "message": "--message"}
    position = Position(after=False, other=before) if before or first else None
    with opening("add route", fields, required, options) as (opened, form, asks):
        if asks:
            sample = {**build_sample("routes"), **split_name({NAME: "", **fields})[1]}
            refuse_faults(form.template, "routes", {name or "new": sample})
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
    print_note(*lines)
    warn_of_records(project, routes={name: record})
    return apply(plan_change(project, answers), f"Add the route {name}", options, default=asks)
