"""Add a route to a project."""

from contextlib import nullcontext
from shlex import quote
from typing import Annotated, Any

import typer

from hookwright.answers.faults import refuse_faults
from hookwright.answers.schema import build_sample
from hookwright.cli.add.addition import Addition, require
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.current_project import open_to_change
from hookwright.cli.installation import warn_of_records
from hookwright.cli.move import Before, First
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import print_note
from hookwright.patterns.url_pattern import propose_instead
from hookwright.project.record_changes import Position, add_routes, place_route
from hookwright.simulate.route_tests import list_warnings
from hookwright.wizard.drafts import drafting
from hookwright.wizard.routes import NAME, fill_route, split_name
from hookwright_console.errors import ReportedError

REQUIRED = {NAME: "NAME", **list_required("route"), "message": "--message"}


@take_change_options
@take_fields("route")
def add_route(
    fields: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The name of the route.", show_default=False)] = "",
    *,
    before: Before = "",
    first: First = False,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Add a route; ask for fields that no option gives."""
    if before and first:
        raise typer.BadParameter("give --before or --first, not both")
    if name:
        fields = {NAME: name, **fields}
    required = {**REQUIRED}
    if fields.get("action") == "allow":
        del required["message"]
    asks = require(fields, required)
    addition = Addition(open_to_change(project, yes=options.yes))
    position = Position(after=False, other=before) if before or first else None
    draft = drafting(addition.form.dialogue, "add route", addition.project.folder)
    with draft if asks else nullcontext():
        return fill_and_apply(addition, name, fields, position, asks=asks, options=options)


def add_proposed(name: str, record: dict[str, Any], options: dict[str, Any]) -> int:
    """Add a route that lesson-search promote proposes to the project here."""
    chosen = ChangeOptions(**options)
    addition = Addition(open_to_change(HERE, yes=chosen.yes))
    fields = {NAME: name, **record}
    return fill_and_apply(addition, name, fields, None, asks=False, options=chosen)


def fill_and_apply(
    addition: Addition,
    name: str,
    fields: dict[str, Any],
    position: Position | None,
    *,
    asks: bool,
    options: ChangeOptions,
) -> int:
    if asks:
        sample = {**build_sample("routes"), **split_name({NAME: "", **fields})[1]}
        refuse_faults(addition.form.template, "routes", {name or "new": sample})
        form, others = addition.form, addition.project.routes
        filled = form.dialogue.run(lambda: fill_route(form, others, fields))
        if filled is None:
            raise ReportedError("the route was skipped: nothing changed")
        name, record = filled
    else:
        name, record = split_name(fields)
    refuse_faults(addition.form.template, "routes", {name: record})
    answers = add_routes(addition.project, {name: record})
    if position:
        answers["routes"] = place_route(addition.project, answers["routes"], name, position)
    for line in () if asks else list_warnings(answers["routes"], [name]):
        print_note(line)
    if not asks and "tool" not in record and (better := propose_instead(record["pattern"])):
        print_note(
            f"routes.{name}: the URL does not match itself as a pattern: "
            f"use --pattern {quote(better)}"
        )
    warn_of_records(addition.project, routes={name: record})
    return apply(addition.plan(answers), f"Add the route {name}", options, default=asks)
