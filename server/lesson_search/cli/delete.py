"""Delete records."""

from typing import TYPE_CHECKING, Annotated

import typer

from hookwright_console.terminal import confirm, count, excerpt, print_line
from lesson_search.cli.client import ClientError
from lesson_search.cli.options import CollectionOption, Options, YesOption, print_message
from lesson_search.cli.show import find_record

if TYPE_CHECKING:
    from lesson_search.records import CollectionName


def delete(
    context: typer.Context,
    identities: Annotated[
        list[str], typer.Argument(metavar="ID", help="As in lesson-search list.")
    ],
    *,
    collection: CollectionOption = None,
    yes: YesOption = False,
) -> int:
    """Delete lessons or skills."""
    options = context.ensure_object(Options)
    chosen: list[tuple[CollectionName, str]] = []
    unknown = 0
    with options.connect() as client:
        for identity in dict.fromkeys(identities):
            try:
                where, record = find_record(client, identity, collection)
            except ClientError as error:
                print_message(str(error))
                unknown += 1
                continue
            chosen.append((where, identity))
            if not yes:
                print_message(f"{identity}: {excerpt(record.text)}")
        if chosen and not yes:
            confirm(f"Delete {count(len(chosen), 'record')}?")
        deleted = sum(client.remove(where, identity) for where, identity in chosen)
    if chosen:
        print_line(f"deleted {count(deleted, 'record')}")
    return int(unknown > 0)
