"""Edit, move, disable or enable a record."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hookwright.answers.disabling import FIELD, describe_disabled, find_end, format_time
from hookwright.answers.disabling import enable as enable_record
from hookwright.cli.apply import apply, end_unchanged
from hookwright.cli.current_project import (
    ChangeOptions,
    OptionalName,
    RecordName,
    complete_name,
    take_change_options,
)
from hookwright.cli.terminal import print_note
from hookwright.project.answers_text import (
    drop_refusal,
    place_refusal,
    read_edited,
    read_edited_record,
    write_answers,
    write_record,
    write_schema,
)
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.project.record_changes import (
    Position,
    find_key,
    move_record,
    read_record,
    replace_record,
)
from hookwright.project.rendered_hooks import order_routes
from hookwright.simulate.trial import list_failed_tests, list_warnings
from hookwright.template.render import AnswerError
from hookwright_console.editor import edit_text
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import check_terminal

Before = Annotated[
    str,
    typer.Option(
        "--before", metavar="NAME", help="Put it before this one.", autocompletion=complete_name
    ),
]
First = Annotated[bool, typer.Option("--first", help="Put it before all others.")]


@take_change_options
def move(
    name: RecordName,
    *,
    before: Before = "",
    after: Annotated[
        str,
        typer.Option(
            "--after", metavar="NAME", help="Put it after this one.", autocompletion=complete_name
        ),
    ] = "",
    first: First = False,
    last: Annotated[bool, typer.Option("--last", help="Put it after all others.")] = False,
    options: ChangeOptions,
) -> int:
    """Move a database or a route; the first route that matches decides."""
    number = sum(map(bool, (before, after, first, last)))
    if number != 1:
        advice = "use only one of" if number else "say where:"
        raise typer.BadParameter(f"{advice} --before NAME, --after NAME, --first or --last")
    opened = options.open(name)
    answers = move_record(opened, name, Position(after=bool(after) or last, other=before or after))
    routes = answers.get("routes", opened.routes)
    if [*routes] != [*opened.routes] and [*order_routes(routes)] == [*order_routes(opened.routes)]:
        print_note("allow routes are always tried first: the hook's order stays the same")
    print_note(*list_failed_tests(routes, [name]))
    where = f"{'after' if after else 'before'} {before or after}" if before or after else ""
    title = f"Move {name} {where or ('first' if first else 'last')}"
    return apply(plan_change(opened, answers), title, options)


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
    options: ChangeOptions,
) -> int:
    """Disable a database or a route."""
    try:
        until = "" if duration is None else find_end(duration)
    except RefusedError as refused:
        raise typer.BadParameter(f"--for: {refused}") from None
    opened = options.open(name)
    key = find_key(opened, name)
    record = read_record(opened, key)
    if describe_disabled(record) == FIELD:
        raise RefusedError(f"{name} is already disabled: run hookwright enable {name}")
    record[FIELD] = until or True
    change = plan_change(opened, replace_record(opened, key, record))
    title = f"Disable {name}" + (f" until {format_time(until)}" if until else "")
    return apply(change, title, options)


@take_change_options
def enable(name: RecordName, *, options: ChangeOptions) -> int:
    """Enable a database or a route that is disabled."""
    opened = options.open(name)
    key = find_key(opened, name)
    record = read_record(opened, key)
    if not describe_disabled(record):
        raise RefusedError(f"{name} is already enabled: hookwright list shows what is disabled")
    change = plan_change(opened, replace_record(opened, key, enable_record(record)))
    return apply(change, f"Enable {name}", options)


@take_change_options
def edit(name: OptionalName = "", *, options: ChangeOptions) -> int:
    """Edit a record, or all answers, in your editor."""
    opened = options.open(name)
    key = find_key(opened, name) if name else None
    message = f"Edit {name or 'the answers'}"
    check_terminal(yes=not options.asks)
    check_committed(opened)
    code = 0

    def take(edited: str) -> None:
        nonlocal code
        if key:
            answers = read_edited_record(edited, opened, key)
        else:
            answers = read_edited(edited, opened).value
        try:
            change = plan_change(opened, answers)
            warn_of_edit(opened, answers)
            code = apply(change, message, options, default=True)
        except AnswerError:  # reopens the editor at a line
            raise
        except RefusedError as refused:
            raise ReportedError(str(refused)) from None

    folder = Path(tempfile.mkdtemp(prefix="hookwright-"))
    try:
        schema = write_schema(folder, whole=not key)
        text = write_record(opened, key, schema) if key else write_answers(opened, schema)
        is_changed = edit_text(
            text,
            ".yml",
            take,
            print_note,
            add_comment=place_refusal,
            remove_comment=drop_refusal,
            folder=folder,
        )
        if not is_changed:
            code = end_unchanged(options, message)
    finally:
        if not list(folder.glob("*.yml")):  # keep the user's text
            shutil.rmtree(folder)
    return code


def warn_of_edit(project: Project, answers: Mapping[str, Any]) -> None:
    from hookwright.doctor.project import check_renovate  # slow to import

    findings = check_renovate(replace(project, answers=answers))
    print_note(*(finding.line for finding in findings))
    routes = answers.get("routes") or {}
    changed = [name for name in routes if routes[name] != project.routes.get(name)]
    print_note(*list_warnings(routes, changed))
