"""Edit a record, or all answers, in the user's editor."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookwright.cli.apply import apply, end_unchanged
from hookwright.cli.current_project import ChangeOptions, OptionalName, take_change_options
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
from hookwright.project.change import ProjectChange, check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.project.record_changes import find_key
from hookwright.simulate.route_tests import list_warnings
from hookwright.template.render import AnswerError
from hookwright_console.editor import EditorOptions, edit_text
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.terminal import check_terminal


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
        change = plan(opened, answers)
        try:
            code = apply(change, message, options, default=True)
        except RefusedError as refused:  # the error is not about a specific line
            raise ReportedError(str(refused)) from None

    manner = EditorOptions(print_note, place_refusal, drop_refusal, attended=options.asks)
    folder = Path(tempfile.mkdtemp(prefix="hookwright-"))
    try:
        schema = write_schema(folder, whole=not key)
        text = write_record(opened, key, schema) if key else write_answers(opened, schema)
        if not edit_text(text, ".yml", take, manner, folder):
            code = end_unchanged(options, message)
    finally:
        if not list(folder.glob("*.yml")):  # keep the user's text
            shutil.rmtree(folder)
    return code


def plan(project: Project, answers: Mapping[str, Any]) -> ProjectChange:
    """Return the change for edited answers, and warn about their routes.

    An AnswerError makes the caller reopen the editor; a ReportedError is not about a specific line.
    """
    try:
        change = plan_change(project, answers)
    except AnswerError:
        raise
    except RefusedError as refused:
        raise ReportedError(str(refused)) from None
    from hookwright.doctor.project import check_renovate  # slow to import

    for finding in check_renovate(replace(project, answers=answers)):
        print_note(finding.line)
    routes = answers.get("routes") or {}
    changed = [name for name in routes if routes[name] != project.routes.get(name)]
    for line in list_warnings(routes, changed):
        print_note(line)
    return change
