"""Take in what was exported."""

from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from lesson_search.cli.ingest import PIPE, read_pipe
from lesson_search.cli.options import AsJson, Options
from lesson_search.cli.sending import AsForced, send
from lesson_search.files.reader import (
    LARGEST,
    Reading,
    Refusal,
    parse_json_lines,
    read_text,
    show_path,
)


def import_records(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="What export wrote.")],
    *,
    force: AsForced = False,
    as_json: AsJson = False,
) -> int:
    """Read lessons and skills that export wrote.

    Records in the file replace those with the same id; all others stay.
    """
    options = context.ensure_object(Options)
    reading = read_pipe() if file == PIPE else read_export(Path(file))
    return send(options, reading, force=force, as_json=as_json)


def read_export(path: Path) -> Reading:
    """Return the lessons and skills in a file of JSON Lines, whatever it is called."""
    source = show_path(path)
    try:
        return parse_json_lines(read_text(path, LARGEST, errors="surrogateescape"), source)
    except RefusedError as refused:
        return Reading(refusals=(Refusal(source, str(refused)),))
