"""Sort records into categories again."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import count, open_console, print_line
from lesson_search.cli.options import Options
from lesson_search.cli.tables import build_record_table


def recategorize(
    context: typer.Context,
    *,
    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Also records whose categories were chosen by hand.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would change.")
    ] = False,
) -> int:
    """Sort lessons and skills into categories again.

    The taxonomy may have changed since they were sorted.
    """
    options = context.ensure_object(Options)
    with options.connect() as client:
        moved = client.recategorize(by_hand=by_hand, preview=dry_run)
    if moved:
        ids = [escape_hidden(move["id"]) for move in moved]
        table = build_record_table(ids, "id", "from", "to")
        for identity, move in zip(ids, moved, strict=True):
            paths = [", ".join(move[side]) or "none" for side in ("before", "after")]
            table.add_row(identity, *map(escape_hidden, paths))
        open_console().print(table)
    print_line(f"{count(len(moved), 'record')} {'would change' if dry_run else 'changed'}")
    return 0
