"""Add lessons and skills from files, folders and standard input."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hookwright_console.errors import RefusedError
from lesson_search.cli.options import JsonOption, Options
from lesson_search.cli.upload import ForceOption, upload
from lesson_search.files.folders import read_lesson_files, read_skills
from lesson_search.files.reader import (
    PIPE,
    STDIN,
    ReadResult,
    Refusal,
    parse_json_lines,
    parse_markdown,
    read_lessons,
    read_pipe,
)

if TYPE_CHECKING:
    from lesson_search.records import Lesson, Skill


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES|FOLDERS|-",
            help="Lessons in Markdown or JSON Lines, folders with skills and commands or with "
            "lessons in Markdown, or - for lessons from standard input.",
        ),
    ],
    *,
    force: ForceOption = False,
    restore: Annotated[
        bool,
        typer.Option("--restore", help="Replace what was edited, and bring back what was deleted."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Add lessons and skills from files.

    Ingesting the same files again takes what changed in them, and keeps what was edited or deleted
    here.
    """
    options = context.ensure_object(Options)
    result = join([read_any(path) for path in dict.fromkeys(paths)])
    return upload(options, result, force=force, restore=restore, as_json=as_json)


def read_any(path: str) -> ReadResult:
    if path == PIPE:
        return read_piped()
    if not Path(path).is_dir():
        return read_lessons(Path(path))
    result = read_skills(Path(path))
    if not result.locations:
        refused = {refusal.where for refusal in result.refusals}
        result = join([result, *read_lesson_files(Path(path), refused)])
    if result.locations or result.refusals:
        return result
    why = "has no skill, command or lesson: begin each lesson with a line `## Lesson: TITLE`"
    return ReadResult(refusals=(Refusal(path, why),))


def read_piped() -> ReadResult:
    try:
        text = read_pipe()
    except RefusedError as refused:
        return ReadResult(refusals=(Refusal(STDIN, str(refused)),))
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    return parse_json_lines(text, STDIN) if is_json else parse_markdown(text, STDIN)


def join(results: list[ReadResult]) -> ReadResult:
    """Return all records, but only the first with an id: they would replace each other."""
    locations: dict[Lesson | Skill, str] = {}
    first: dict[tuple[type, str], str] = {}
    refusals = [refusal for result in results for refusal in result.refusals]
    for result in results:
        for record, where in result.locations.items():
            used = first.setdefault((type(record), record.id), where)
            if used == where:
                locations[record] = where
            else:
                why = f"the id '{record.id}' is already used in {used}: choose another"
                refusals.append(Refusal(where, why))
    derived = frozenset[str]().union(*(result.derived for result in results))
    notes = tuple(note for result in results for note in result.notes)
    deleted = tuple(row for result in results for row in result.deleted)
    return ReadResult(locations, tuple(refusals), notes, deleted, derived)
