"""Import records that were exported."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from lesson_search.cli.options import JsonOption, Options
from lesson_search.cli.upload import ForceOption, upload
from lesson_search.files.reader import (
    MAX_SIZE,
    PIPE,
    STDIN,
    parse_json_lines,
    read_pipe,
    read_text,
    show_path,
)
from lesson_search.records import UNKNOWN


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
    source, text = read_export(file)
    read = parse_json_lines(text, source)
    # Without a fingerprint a record would look unedited, and the next ingestion would replace it.
    located = {
        replace(record, ingested=record.ingested or UNKNOWN): where
        for record, where in read.locations.items()
    }
    read = replace(read, locations=located)
    return upload(options, read, force=force, restore=True, as_json=as_json)


def read_export(file: str) -> tuple[str, str]:
    source = STDIN if file == PIPE else show_path(Path(file))
    try:
        if file == PIPE:
            text = read_pipe()
        else:
            text = read_text(Path(file), MAX_SIZE, errors="surrogateescape")
    except RefusedError as refused:
        raise RefusedError(f"{source}: {refused}") from None
    if is_markdown(text):
        raise RefusedError(
            f"{source}: looks like Markdown, not like an export: use lesson-search ingest"
            f" {shlex.quote(file)}"
        )
    return source, text


def is_markdown(text: str) -> bool:
    """Return whether a text begins with a heading, a rule or words, unlike JSON Lines."""
    beginning = text.lstrip("\ufeff \t\r\n")
    return beginning[:1].isalpha() or beginning.startswith(("#", "---"))
