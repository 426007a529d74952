"""Disable a record, permanently or for a time, and enable it again."""

from typing import Annotated

import typer

from hookwright.answers.disabling import FIELD, describe_disabled, find_end, format_time
from hookwright.answers.disabling import enable as enable_record
from hookwright.cli.apply import apply
from hookwright.cli.current_project import RecordName, open_to_change
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.project.change import plan_change
from hookwright.project.record_changes import find_key, read_record, replace_record
from hookwright_console.errors import RefusedError


@take_change_options
def disable(
    name: RecordName,
    *,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="DURATION",
            help="Enable it again after this time, such as 30m, 1h or 2d.",
            show_default="for good",
        ),
    ] = None,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Disable a database or a route."""
    try:
        until = "" if duration is None else find_end(duration)
    except RefusedError as refused:
        raise typer.BadParameter(f"--for: {refused}") from None
    opened = open_to_change(project, name, yes=options.yes)
    key = find_key(opened, name)
    record = read_record(opened, key)
    if describe_disabled(record) == FIELD:
        raise RefusedError(f"{name} is already disabled: run hookwright enable {name}")
    record[FIELD] = until or True
    change = plan_change(opened, replace_record(opened, key, record))
    title = f"Disable {name}" + (f" until {format_time(until)}" if until else "")
    return apply(change, title, options)


@take_change_options
def enable(
    name: RecordName,
    *,
    project: InProject = HERE,
    options: ChangeOptions,
) -> int:
    """Enable a database or a route that is disabled."""
    opened = open_to_change(project, name, yes=options.yes)
    key = find_key(opened, name)
    record = read_record(opened, key)
    if not describe_disabled(record):
        raise RefusedError(f"{name} is already enabled: hookwright list shows what is disabled")
    change = plan_change(opened, replace_record(opened, key, enable_record(record)))
    return apply(change, f"Enable {name}", options)
