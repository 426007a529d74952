"""Edit all answers of a project in the user's editor."""

import shutil
import tempfile
from pathlib import Path

from hookwright.answers import editor as editing
from hookwright.cli.apply import apply, end_unchanged
from hookwright.cli.options import HERE, ChangeOptions, InProject, take_change_options
from hookwright.cli.terminal import check_terminal, say
from hookwright.patterns.route_warnings import list_warnings
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import open_project
from hookwright_console.editor import EditorOptions, edit_text
from hookwright_console.errors import RefusedError, ReportedError

MESSAGE = "Edit the answers"


@take_change_options
def edit(*, project: InProject = HERE, options: ChangeOptions) -> int:
    """Edit all answers of a project in your editor."""
    opened = open_project(project)
    check_terminal(yes=not options.asks)
    check_committed(opened)
    code = 0

    def take(edited: str) -> None:
        nonlocal code
        document = editing.read_edited(edited, opened)
        change = plan_change(opened, document.value)
        routes = document.value.get("routes") or {}
        changed = [name for name in routes if routes[name] != opened.routes.get(name)]
        for line in list_warnings(routes, changed):
            say(line)
        try:
            code = apply(change, MESSAGE, options)
        except RefusedError as refused:  # it is about no line of the text
            raise ReportedError(str(refused)) from None

    manner = EditorOptions((RefusedError,), editing.place_refusal, editing.drop_refusal, say)
    folder = Path(tempfile.mkdtemp(prefix="hookwright-"))
    try:
        text = editing.write_answers(opened, editing.write_schema(folder))
        if not edit_text(text, ".yml", take, manner, folder):
            code = end_unchanged(options, MESSAGE)
    finally:
        if not list(folder.glob("*.yml")):  # the user's text stays
            shutil.rmtree(folder)
    return code
