"""Import records that were exported."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from lesson_search.cli.ingest import PIPE, read_pipe
from lesson_search.cli.options import JsonOption, Options
from lesson_search.cli.upload import ForceOption, Rules, upload
from lesson_search.edits import UNKNOWN
from lesson_search.files.reader import (
    MAX_SIZE,
    ReadResult,
    Refusal,
    parse_json_lines,
    read_text,
    show_path,
)


def import_records(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A file from export; - to read standard input.")
    ],
    *,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> int:
    """Read lessons and skills that export wrote.

    Records in the file replace those with the same id; all others stay.
    """
    options = context.ensure_object(Options)
    result = read_pipe() if file == PIPE else read_export(Path(file))
    return upload(options, keep_fingerprints(result), Rules(force, restore=True), as_json=as_json)


def keep_fingerprints(read: ReadResult) -> ReadResult:
    """Return the records with unknown fingerprints where the file has none.

    Otherwise these records would look unedited, and the next ingestion would replace them.
    """
    return replace(
        read,
        lessons=tuple(replace(one, ingested=one.ingested or UNKNOWN) for one in read.lessons),
        skills=tuple(replace(one, ingested=one.ingested or UNKNOWN) for one in read.skills),
    )


def read_export(path: Path) -> ReadResult:
    """Return the lessons and skills in a file of JSON Lines, whatever its name."""
    source = show_path(path)
    try:
        return parse_json_lines(read_text(path, MAX_SIZE, errors="surrogateescape"), source)
    except RefusedError as refused:
        return ReadResult(refusals=(Refusal(source, str(refused)),))
