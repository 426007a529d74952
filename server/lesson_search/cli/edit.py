"""Edit a record in the user's editor."""

import sys
from typing import Annotated

import typer

from hookwright_console.editor import EditorOptions, edit_text
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import print_line
from lesson_search.cli.client import Answer
from lesson_search.cli.options import CollectionOption, Options, print_message
from lesson_search.cli.show import find_record
from lesson_search.cli.upload import ForceOption, name_option
from lesson_search.files.front_matter import read_fields, split_front_matter
from lesson_search.files.json_lines import check_fields
from lesson_search.files.reader import split_list
from lesson_search.records import Lesson, Skill


def edit(
    context: typer.Context,
    identity: Annotated[str, typer.Argument(metavar="ID", help="As in lesson-search list.")],
    *,
    collection: CollectionOption = None,
    force: ForceOption = False,
) -> int:
    """Edit a lesson or skill in your editor.

    VISUAL or EDITOR names the editor; the text and the categories can be changed.
    """
    options = context.ensure_object(Options)
    # The editor may stay open for hours, so the data folder is not kept locked.
    with options.connect() as client:
        where, record = find_record(client, identity, collection)

    def take(edited: str) -> None:
        changes = list_changes(edited, record)
        if changes:
            with options.connect() as client:
                try:
                    client.change(where, identity, {**changes, "force": force})
                except RefusedError as refused:
                    raise RefusedError(name_option(str(refused))) from None

    text = f"---\ncategories: [{', '.join(record.categories)}]\n---\n{record.text}\n"
    manner = EditorOptions(print_message, attended=sys.stdin.isatty())
    changed = edit_text(text, ".md", take, manner)
    print_line("saved" if changed else "no change")
    return 0


def list_changes(edited: str, record: Lesson | Skill) -> Answer:
    front_matter, body = split_front_matter(edited)
    if front_matter is None:
        raise RefusedError("no front matter: put the categories between two lines of ---")
    fields = read_fields(front_matter)
    check_fields(fields, ("categories",))
    listed = fields.get("categories") or ()
    categories = split_list(listed) if isinstance(listed, str) else listed
    changes: Answer = {}
    if tuple(categories) != record.categories:
        changes["categories"] = list(categories)
    if body.strip("\n") != record.text.strip("\n"):  # editors add a final newline
        changes["text"] = body.strip("\n")
    return changes
