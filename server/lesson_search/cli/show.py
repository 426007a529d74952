"""Show a record."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import dump
from lesson_search.cli.options import CollectionOption, JsonOption, Options
from lesson_search.cli.record_lookup import find_record


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
