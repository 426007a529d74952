"""Write all records to a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.files.atomic import write_whole
from hookwright_console.terminal import confirm, count, dump
from hookwright_console.text import shorten
from lesson_search.cli.client import Client
from lesson_search.cli.options import CollectionOption, Options, YesOption, print_message
from lesson_search.files.reader import PIPE
from lesson_search.records import COLLECTIONS, CollectionName, to_row


def export(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The file to write; - for standard output.")
    ] = PIPE,
    *,
    collection: CollectionOption = None,
    yes: YesOption = False,
) -> int:
    """Write all lessons and skills as JSON Lines.

    import and ingest read this format. It also holds the ids of deleted records.
    """
    options = context.ensure_object(Options)
    if file != PIPE and not yes and Path(file).is_file():
        confirm(f"Replace {shorten(file)}?")
    counts = dict.fromkeys([collection] if collection else COLLECTIONS.values(), 0)
    with options.connect() as client:
        lines = list_lines(client, counts)
        if file == PIPE:
            for line in lines:
                print(line, end="")
        else:
            write_whole(Path(file), lines)
    total = " and ".join(count(number, one[:-1]) for one, number in counts.items())
    print_message(f"exported {total}" + ("" if file == PIPE else f" to {file}"))
    return 0


def list_lines(client: Client, counts: dict[CollectionName, int]) -> Iterator[str]:
    """Yield a JSON line for each record, and count the records of each collection."""
    for collection in counts:
        for record in client.list_records(collection):
            counts[collection] += 1
            yield dump(to_row(record)) + "\n"
    for where, identity in client.list_deleted():
        if where in counts:
            yield dump({"deleted": True, "collection": where, "id": identity}) + "\n"
