"""List records."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import (
    count,
    dump,
    excerpt,
    open_console,
    print_message,
)
from lesson_search.cli.options import JsonOption, Options
from lesson_search.cli.tables import build_record_table
from lesson_search.records import CollectionName

EXCERPT = 60  # characters of a text


def list_records(
    context: typer.Context,
    *,
    category: Annotated[
        str | None, typer.Option(metavar="CATEGORY", help="Only this category and those below it.")
    ] = None,
    collection: Annotated[CollectionName, typer.Option(help="The collection to list.")] = "lessons",
    as_json: JsonOption = False,
) -> int:
    """List lessons or skills.

    They are ordered by id.
    """
    options = context.ensure_object(Options)
    with options.connect() as client:
        records = [row for page in client.list_records(collection, category) for row in page]
    if as_json:
        print(dump(records, indent=2))
        return 0
    ids = [escape_hidden(row["id"]) for row in records]
    table = build_record_table(ids, "id", "categories", "text")
    for identity, row in zip(ids, records, strict=True):
        table.add_row(
            identity,
            escape_hidden(", ".join(row["categories"])),
            excerpt(row["text"], EXCERPT),
        )
    if records:
        open_console().print(table)
    print_message(count(len(records), collection[:-1]))
    return 0
