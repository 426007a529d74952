"""Add a database to a project."""

from contextlib import nullcontext
from typing import Any

from hookwright.answers.faults import refuse_faults
from hookwright.answers.schema import build_sample, name_database
from hookwright.answers.validation import check_record
from hookwright.cli.add.addition import Addition, require
from hookwright.cli.add.field_options import list_required, take_fields
from hookwright.cli.apply import apply
from hookwright.cli.current_project import open_to_change
from hookwright.cli.installation import warn_of_records
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import print_note
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
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
    """Add a database; ask for fields that no option gives."""
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
        record, servers = mark_ordinary(fields), {}
        if check_record(template, "databases", record):  # an earlier template rejects it
            record = fields
    known = addition.project.databases
    refuse_faults(template, "databases", [*known, record], earlier=known)
    answers = add_databases(addition.project, [record]) | servers
    for note in () if asks else explain_keywords(record):
        print_note(note)
    warn_of_records(addition.project, [record])
    title = f"Add the database {name_database(record)}"
    return apply(addition.plan(answers), title, options, default=asks)


def ask_record(addition: Addition, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    record = fill_database(addition.form, addition.project.databases, fields)
    if record is None:
        raise ReportedError("the database was skipped: nothing changed")
    missing = list_missing([record], addition.form.servers.values(), addition.project.servers)
    servers = ask_servers(addition.form.dialogue, addition.form.template, missing)
    return record, {"mcp_servers": {**addition.project.servers, **servers}} if servers else {}
