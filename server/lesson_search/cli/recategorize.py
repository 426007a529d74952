"""Sort records into categories again."""

from typing import Annotated

import typer

from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.tables import print_table
from hookwright_console.terminal import count, print_line
from lesson_search.cli.options import Options


def recategorize(
    context: typer.Context,
    *,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Also sort those whose categories were chosen by hand."),
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
        rows = [
            (escape_hidden(move["id"]), join_paths(move["before"]), join_paths(move["after"]))
            for move in moved
        ]
        print_table(("id", "from", "to"), rows, ("from", "to"))
    print_line(f"{count(len(moved), 'record')} {'would change' if dry_run else 'changed'}")
    return 0


def join_paths(paths: list[str]) -> str:
    return escape_hidden(", ".join(paths) or "none")
