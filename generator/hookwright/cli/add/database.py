"""Add a database to a project."""

from typing import Annotated, Any

import typer

from hookwright.answers.key_values import read_pairs
from hookwright.answers.records import add_databases, name_database
from hookwright.answers.refusing import refuse_flaws
from hookwright.cli.add.adding import Adding, require
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, Commits, InProject, Yes
from hookwright.cli.terminal import say
from hookwright.clients.claude.mcp_servers import say_how_to_add
from hookwright.project.reader import open_project
from hookwright.wizard.databases import settle_database
from hookwright.wizard.form import SAMPLES
from hookwright.wizard.servers import ask_servers, list_missing
from hookwright_console.errors import RefusedError

REQUIRED = {
    "keywords": "--keyword",
    "path": "--path",
    "mcp_tool_name": "--tool",
    "description": "--description",
}


def add_database(
    *,
    keyword: Annotated[
        list[str] | None, typer.Option(help="A word that sends a search to it; repeatable.")
    ] = None,
    path: Annotated[str, typer.Option(help="Where it is.")] = "",
    tool: Annotated[str, typer.Option(help="The full name of the tool that searches it.")] = "",
    description: Annotated[str, typer.Option(help="What it is; the agent is told.")] = "",
    argument: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Another argument of the tool; repeatable."),
    ] = None,
    name: Annotated[str, typer.Option(help="Its name.", show_default="its first keyword")] = "",
    domain: Annotated[
        list[str] | None, typer.Option(help="A web site that it stands for; repeatable.")
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option("--with", help="A word that keywords count beside only; repeatable."),
    ] = None,
    unless: Annotated[
        list[str] | None, typer.Option(help="A word that lets a search through; repeatable.")
    ] = None,
    project: InProject = HERE,
    yes: Yes = False,
    commit: Commits = True,
) -> int:
    """Add a database to a project: what no option gives is asked for."""
    arguments, complaint = read_pairs(argument or ())
    if complaint:
        raise typer.BadParameter(f"--argument {complaint}")
    fields: dict[str, Any] = {
        "name": name,
        "keywords": keyword,
        "path": path,
        "mcp_tool_name": tool,
        "description": description,
        "arguments": arguments,
        "domains": domain,
        "with": beside,
        "unless": unless,
    }
    given = {field: value for field, value in fields.items() if value}
    asks = require(given, REQUIRED)
    adding = Adding(open_project(project))
    record = given
    if asks:
        refuse_flaws(adding.desk.template, "databases", [{**SAMPLES["databases"], **given}])
        settled = settle_database(adding.desk, adding.project.databases, given)
        if settled is None:
            raise RefusedError("it is left out, and nothing is changed")
        record = settled
    refuse_flaws(adding.desk.template, "databases", [*adding.project.databases, record])
    answers = add_databases(adding.project, [record]) | add_servers(adding, record, asks=asks)
    title = f"Add the database {name_database(record)}"
    return apply(adding.rehearse(answers), title, yes=yes, commit=commit)


def add_servers(adding: Adding, record: dict[str, Any], *, asks: bool) -> dict[str, Any]:
    """Return the answer that changes when a database is searched by an MCP server nobody knows."""
    known = adding.project.servers
    missing = list_missing([record], adding.desk.servers.values(), known)
    if not asks:
        for name in missing:
            say(f"the client has no MCP server {name} yet: {say_how_to_add(name)}")
        return {}
    servers = ask_servers(adding.desk.template, missing)
    return {"mcp_servers": {**known, **servers}} if servers else {}
