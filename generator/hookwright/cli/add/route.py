"""Add a route to a project."""

from typing import Annotated, Any

import typer

from hookwright.answers.records import add_routes
from hookwright.answers.refusing import refuse_flaws
from hookwright.cli.add.adding import Adding, require
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, Commits, InProject, Yes
from hookwright.cli.terminal import say
from hookwright.patterns.breadth import list_broad
from hookwright.project.reader import open_project
from hookwright.wizard.form import SAMPLES
from hookwright.wizard.routes import NAME, settle_route, split_name
from hookwright_console.errors import RefusedError

REQUIRED = {NAME: "NAME", "pattern": "--pattern", "message": "--message"}


def add_route(
    name: Annotated[str, typer.Argument(help="What it is called.", show_default=False)] = "",
    *,
    pattern: Annotated[str, typer.Option(help="A regular expression for what it matches.")] = "",
    message: Annotated[
        str, typer.Option(help="What the agent is told; {name} stands for a group.")
    ] = "",
    tool: Annotated[str, typer.Option(help="The tool.", show_default="WebFetch")] = "",
    field: Annotated[
        str, typer.Option(help="What of the tool's input it matches.", show_default="url")
    ] = "",
    action: Annotated[str, typer.Option(help="block, allow or warn.", show_default="block")] = "",
    requires: Annotated[
        str, typer.Option(help="A command without which the route is passed over.")
    ] = "",
    contains: Annotated[str, typer.Option(help="A text that all that it matches holds.")] = "",
    once: Annotated[
        bool, typer.Option("--once", help="Let the identical call through when it is repeated.")
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Match the whole command, its quoted parts as well.")
    ] = False,
    project: InProject = HERE,
    yes: Yes = False,
    commit: Commits = True,
) -> int:
    """Add a route to a project: what no option gives is asked for."""
    fields: dict[str, Any] = {
        NAME: name,
        "pattern": pattern,
        "message": message,
        "tool": tool,
        "field": field,
        "action": action,
        "requires": requires,
        "contains": contains,
        "once": once,
        "raw": raw,
    }
    given = {key: value for key, value in fields.items() if value}
    needed = {key: REQUIRED[key] for key in REQUIRED if action != "allow" or key != "message"}
    asks = require(given, needed)
    adding = Adding(open_project(project))
    if asks:
        sample = {**SAMPLES["routes"], **split_name({NAME: "", **given})[1]}
        refuse_flaws(adding.desk.template, "routes", {name or "new": sample})
        settled = settle_route(adding.desk, adding.project.routes, given)
        if settled is None:
            raise RefusedError("it is left out, and nothing is changed")
        name, record = settled
    else:
        name, record = split_name(given)
    refuse_flaws(adding.desk.template, "routes", {name: record})
    for line in () if asks else list_broad({name: record}):
        say(line)
    answers = add_routes(adding.project, {name: record})
    return apply(adding.rehearse(answers), f"Add the route {name}", yes=yes, commit=commit)
