"""Add a route to a project."""

from typing import Annotated, Any

import typer

from hookwright.answers.faults import refuse_faults
from hookwright.answers.records import add_routes
from hookwright.answers.schema import build_sample
from hookwright.cli.add.addition import Addition, require
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import say
from hookwright.patterns.route_warnings import list_warnings
from hookwright.project.reader import open_project
from hookwright.wizard.routes import NAME, fill_route, split_name
from hookwright_console.errors import RefusedError

REQUIRED = {NAME: "NAME", **list_required("route"), "message": "--message"}


@take_change_options
@take_fields("route")
def add_route(
    fields: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The name of the route.", show_default=False)] = "",
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Add a route; ask for what no option gives."""
    if name:
        fields = {NAME: name, **fields}
    required = {**REQUIRED}
    if fields.get("action") == "allow":
        del required["message"]
    asks = require(fields, required)
    addition = Addition(open_project(project))
    if asks:
        sample = {**build_sample("routes"), **split_name({NAME: "", **fields})[1]}
        refuse_faults(addition.form.template, "routes", {name or "new": sample})
        filled = fill_route(addition.form, addition.project.routes, fields)
        if filled is None:
            raise RefusedError("the route is left out: nothing changes")
        name, record = filled
    else:
        name, record = split_name(fields)
    refuse_faults(addition.form.template, "routes", {name: record})
    routes = {**addition.project.routes, name: record}
    for line in () if asks else list_warnings(routes, [name], added=name):
        say(line)
    answers = add_routes(addition.project, {name: record})
    return apply(addition.plan(answers), f"Add the route {name}", options)
