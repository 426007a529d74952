"""Find a record by its id, and show it."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import dump
from hookwright_console.text import suggest
from lesson_search.cli.client import Answer, Client, ClientError
from lesson_search.cli.options import CollectionOption, JsonOption, Options
from lesson_search.records import COLLECTIONS, CollectionName


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
        print(dump(record, indent=2))
        return 0
    text = record.pop("text")
    record.pop("ingested", None)  # of no use to people
    record["categories"] = ", ".join(record["categories"]) or "none"
    by_hand = not record.pop("classified")
    record["categories"] += "" if by_hand else " (classified)"
    for field, value in record.items():
        if value:
            print(f"{field}: {escape_hidden(str(value))}")
    print(f"\n{escape_hidden(text)}")
    return 0


def find_record(
    client: Client, identity: str, collection: CollectionName | None
) -> tuple[CollectionName, Answer]:
    """Return a record and the collection it is in.

    Args:
        client: The client to ask with.
        identity: The record's id.
        collection: The collection to search; None for both.

    Raises:
        ClientError: No collection has the id, or both have it.

    """
    searched = [collection] if collection else [*COLLECTIONS.values()]
    found = [(one, record) for one in searched if (record := client.get(one, identity)) is not None]
    if not found:
        kind = collection[:-1] if collection else "lesson or skill"
        pages = (page for one in searched for page in client.list_records(one))
        near = suggest(identity, [record["id"] for page in pages for record in page])
        raise ClientError(f"no {kind} has the id '{identity}': {near or 'see lesson-search list'}")
    if len(found) > 1:
        raise ClientError(
            f"'{identity}' is the id of a lesson and a skill: choose with --collection"
        )
    return found[0]
