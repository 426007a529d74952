"""List records."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.tables import print_table
from hookwright_console.terminal import (
    count,
    dump,
    excerpt,
)
from lesson_search.cli.options import JsonOption, Options, print_message
from lesson_search.cli.query import UNKNOWN_CATEGORY
from lesson_search.records import CollectionName, to_row

EXCERPT = 60  # characters of a text
NARROWEST = 30  # characters of a line of it


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
        records = list(client.list_records(collection, category))
    if as_json:
        print(dump(list(map(to_row, records)), indent=2))
        return 0
    rows = [
        (
            escape_hidden(record.id),
            escape_hidden(", ".join(record.categories)),
            excerpt(record.text.replace("\n\n", " - ", 1), EXCERPT),  # the title and the rest
        )
        for record in records
    ]
    if rows:
        print_table(("id", "categories", "text"), rows, ("categories", "text"), {"text": NARROWEST})
    elif category:
        print_message(UNKNOWN_CATEGORY.format(collection[:-1], category))
        return 0
    print_message(count(len(records), collection[:-1]))
    return 0
