"""Show the categories, edit the user's taxonomy, and sort records by it again."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.editor import COMMENT, EditorOptions, edit_text
from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import write_whole
from hookwright_console.files.regular import read_regular
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.tables import build_table, print_table
from hookwright_console.terminal import (
    count,
    draw_bar,
    dump,
    open_console,
    print_line,
)
from lesson_search.cli.client import ClientError
from lesson_search.cli.options import JsonOption, Options, print_message
from lesson_search.cli.query import NOTHING_YET


def categories(
    context: typer.Context,
    *,
    edit: Annotated[
        bool, typer.Option("--edit", help="Edit the taxonomy in your editor (VISUAL or EDITOR).")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Count the lessons in each category, or edit the taxonomy.

    A category also counts the lessons in the categories below it.
    """
    options = context.ensure_object(Options)
    if edit:
        return edit_taxonomy(options)
    with options.connect() as client:
        counts = client.count_categories()
    if as_json:
        print(dump(counts, indent=2))
        return 0
    most = max(counts.values(), default=0)
    table = build_table("category", "lessons", "")
    table.columns[1].justify = "right"
    for path, number in counts.items():
        *above, name = path.split("/")
        table.add_row(
            "  " * len(above) + escape_hidden(name), f"{number:,}", draw_bar(number / most)
        )
    if counts:
        open_console().print(table)
    else:
        print_message(NOTHING_YET)
    return 0


def edit_taxonomy(options: Options) -> int:
    from lesson_search.taxonomy.categories import TAXONOMY

    if options.url:
        raise ClientError(
            f"cannot edit the taxonomy of {options.url} from here: run this on its machine"
        )
    path = options.settings.taxonomy
    try:
        text = read_regular(path if path.exists() else TAXONOMY).decode("utf-8")
    except UnicodeDecodeError:
        raise ClientError(f"{path}: not UTF-8: save it as UTF-8") from None

    def take(edited: str) -> None:
        check_taxonomy(edited)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [edited])

    changed = edit_text(
        text, ".yml", take, EditorOptions(print_message, attended=sys.stdin.isatty())
    )
    print_line(
        f"saved {path}: apply it with lesson-search recategorize" if changed else "no change"
    )
    return 0


def check_taxonomy(text: str) -> None:
    """Refuse a text that is not a taxonomy, with the line numbers of the editor."""
    from lesson_search.taxonomy.categories import read_taxonomy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "taxonomy.yml")
        # The editor shows the refusal as an extra first line.
        path.write_text(f"{COMMENT}\n{text}", "utf-8")
        try:
            read_taxonomy(path)
        except RefusedError as error:
            raise RefusedError(str(error).replace(str(path), path.name)) from None


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
            (escape_hidden(move.id), join_paths(move.before), join_paths(move.after))
            for move in moved
        ]
        print_table(("id", "from", "to"), rows, ("from", "to"))
    print_line(f"{count(len(moved), 'record')} {'would change' if dry_run else 'changed'}")
    return 0


def join_paths(paths: Sequence[str]) -> str:
    return escape_hidden(", ".join(paths) or "none")
