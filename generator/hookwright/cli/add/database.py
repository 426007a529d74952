"""Add a database to a project."""

from typing import Any

from hookwright.answers.faults import refuse_faults
from hookwright.answers.records import add_databases, name_database
from hookwright.answers.schema import build_sample
from hookwright.cli.add.addition import Addition, require
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import say
from hookwright.clients.claude.mcp_servers import say_how_to_add
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.project.reader import open_project
from hookwright.wizard.databases import fill_database
from hookwright.wizard.servers import ask_servers, list_missing
from hookwright_console.errors import RefusedError


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
    addition = Addition(open_project(project))
    record = fields
    if asks:
        refuse_faults(
            addition.form.template, "databases", [{**build_sample("databases"), **fields}]
        )
        filled = fill_database(addition.form, addition.project.databases, fields)
        if filled is None:
            raise RefusedError("the database is left out: nothing changes")
        record = filled
    refuse_faults(addition.form.template, "databases", [*addition.project.databases, record])
    answers = add_databases(addition.project, [record]) | add_servers(addition, record, asks=asks)
    for one in () if asks else find_ambiguous([record]):
        if one.ready:  # a short keyword may well be an abbreviation that is meant
            say(one.advice_to_add)
    title = f"Add the database {name_database(record)}"
    return apply(addition.plan(answers), title, options)


def add_servers(addition: Addition, record: dict[str, Any], *, asks: bool) -> dict[str, Any]:
    """Return the answer that changes if a database needs an MCP server not yet configured."""
    known = addition.project.servers
    missing = list_missing([record], addition.form.servers.values(), known)
    if not asks:
        for name in missing:
            say(f"the client has no MCP server {name} yet: {say_how_to_add(name)}")
        return {}
    servers = ask_servers(addition.form.template, missing)
    return {"mcp_servers": {**known, **servers}} if servers else {}
