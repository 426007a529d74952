"""Find a record by its id, and show it."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import dump
from hookwright_console.text import suggest
from lesson_search.cli.client import Client, ClientError
from lesson_search.cli.options import CollectionOption, JsonOption, Options
from lesson_search.records import COLLECTIONS, CollectionName, Lesson, Skill, to_row


def show_record(
    context: typer.Context,
    identity: Annotated[str, typer.Argument(metavar="ID", help="As in lesson-search list.")],
    *,
    collection: CollectionOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show a lesson or skill."""
    options = context.ensure_object(Options)
    with options.connect() as client:
        _, record = find_record(client, identity, collection)
    if as_json:
        print(dump(to_row(record), indent=2))
        return 0
    categories = ", ".join(record.categories) or "none"
    shown = {**vars(record), "categories": categories + " (classified)" * record.classified}
    for field, value in shown.items():
        if value and field not in {"text", "classified", "ingested"}:
            print(f"{field}: {escape_hidden(str(value))}")
    print(f"\n{escape_hidden(record.text)}")
    return 0


def find_record(
    client: Client, identity: str, collection: CollectionName | None
) -> tuple[CollectionName, Lesson | Skill]:
    searched = [collection] if collection else [*COLLECTIONS.values()]
    found = [(one, record) for one in searched if (record := client.get(one, identity)) is not None]
    if not found:
        kind = collection[:-1] if collection else "lesson or skill"
        ids = [record.id for one in searched for record in client.list_records(one)]
        near = suggest(identity, ids)
        raise ClientError(f"no {kind} has the id '{identity}': {near or 'see lesson-search list'}")
    if len(found) > 1:
        raise ClientError(
            f"'{identity}' is the id of a lesson and a skill: choose with --collection"
        )
    return found[0]
