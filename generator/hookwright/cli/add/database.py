"""Add a database to a project."""

from contextlib import nullcontext
from typing import Any

from hookwright.answers.faults import refuse_faults
from hookwright.answers.schema import build_sample, name_database
from hookwright.cli.add.addition import Addition, require
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.current_project import open_to_change
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import say
from hookwright.clients.claude.mcp_servers import say_how_to_add
from hookwright.clients.claude.tool_names import check_tool_name
from hookwright.discovery.ambiguous_keywords import explain_keywords
from hookwright.project.record_changes import add_databases
from hookwright.wizard.databases import fill_database
from hookwright.wizard.drafts import drafting
from hookwright.wizard.servers import ask_servers, list_missing
from hookwright_console.errors import ReportedError


@take_change_options
@take_fields("database")
def add_database(
    fields: dict[str, Any],
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Add a database; ask for what no option gives."""
    asks = require(fields, list_required("database"))
    addition = Addition(open_to_change(project, yes=options.yes))
    draft = drafting(addition.form.dialogue, "add database", addition.project.folder)
    with draft if asks else nullcontext():
        return fill_and_apply(addition, fields, asks=asks, options=options)


def fill_and_apply(
    addition: Addition, fields: dict[str, Any], *, asks: bool, options: ChangeOptions
) -> int:
    template = addition.form.template
    if asks:
        refuse_faults(template, "databases", [{**build_sample("databases"), **fields}])
        record, servers = addition.form.dialogue.run(lambda: ask_record(addition, fields))
    else:
        record, servers = fields, {}
    refuse_faults(template, "databases", [*addition.project.databases, record])
    if not asks:
        tell_missing(addition, record)
    answers = add_databases(addition.project, [record]) | servers
    for note in () if asks else explain_keywords(record):
        say(note)
    title = f"Add the database {name_database(record)}"
    return apply(addition.plan(answers), title, options, default=asks)


def ask_record(addition: Addition, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    record = fill_database(addition.form, addition.project.databases, fields)
    if record is None:
        raise ReportedError("the database is left out: nothing changes")
    missing = list_unconfigured(addition, record)
    servers = ask_servers(addition.form.dialogue, addition.form.template, missing)
    return record, {"mcp_servers": {**addition.project.servers, **servers}} if servers else {}


def tell_missing(addition: Addition, record: dict[str, Any]) -> None:
    """Say what is wrong with the tool of a database, or how to add the server that it needs."""
    if flaw := check_tool_name(record["mcp_tool_name"]):
        say(f"{flaw}; correct mcp_tool_name with hookwright edit")
    for name in list_unconfigured(addition, record):
        say(f"the client has no MCP server {name} yet: {say_how_to_add(name)}")


def list_unconfigured(addition: Addition, record: dict[str, Any]) -> list[str]:
    return list_missing([record], addition.form.servers.values(), addition.project.servers)
