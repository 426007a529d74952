"""Add a route to a project."""

from typing import Annotated, Any

import typer

from hookwright.answers.faults import refuse_faults
from hookwright.answers.records import add_routes
from hookwright.answers.schema import build_sample
from hookwright.cli.add.adding import Adding, require
from hookwright.cli.add.field_options import take_fields
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, Commits, InProject, Yes
from hookwright.cli.terminal import say
from hookwright.patterns.breadth import list_broad
from hookwright.project.reader import open_project
from hookwright.wizard.routes import NAME, settle_route, split_name
from hookwright_console.errors import RefusedError

REQUIRED = {NAME: "NAME", "pattern": "--pattern", "message": "--message"}


@take_fields("route")
def add_route(
    fields: dict[str, Any],
    name: Annotated[str, typer.Argument(help="What it is called.", show_default=False)] = "",
    *,
    project: InProject = HERE,
    yes: Yes = False,
    commit: Commits = True,
) -> int:
    """Add a route to a project: what no option gives is asked for."""
    if name:
        fields = {NAME: name, **fields}
    allows = fields.get("action") == "allow"
    asks = require(
        fields, {key: REQUIRED[key] for key in REQUIRED if not (allows and key == "message")}
    )
    adding = Adding(open_project(project))
    if asks:
        sample = {**build_sample("routes"), **split_name({NAME: "", **fields})[1]}
        refuse_faults(adding.form.template, "routes", {name or "new": sample})
        settled = settle_route(adding.form, adding.project.routes, fields)
        if settled is None:
            raise RefusedError("the route is left out: nothing changes")
        name, record = settled
    else:
        name, record = split_name(fields)
    refuse_faults(adding.form.template, "routes", {name: record})
    for line in () if asks else list_broad({name: record}):
        say(line)
    answers = add_routes(adding.project, {name: record})
    return apply(adding.rehearse(answers), f"Add the route {name}", yes=yes, commit=commit)
