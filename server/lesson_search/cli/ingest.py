"""Take lessons and skills in from files, folders and a pipe."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lesson_search.cli.options import AsJson, Options
from lesson_search.cli.sending import AsForced, send
from lesson_search.files.reader import (
    LARGEST,
    Reading,
    Refusal,
    parse_json_lines,
    parse_markdown,
    read_lessons,
)
from lesson_search.files.skill_files import read_skills
from lesson_search.records import Lesson, Skill

PIPE = "-"
SOURCE = "stdin"  # what lessons from a pipe say that they come from


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES|FOLDERS|-",
            help="Lessons in Markdown or JSON Lines, folders of skills and commands, or - for "
            "lessons from a pipe.",
        ),
    ],
    *,
    force: AsForced = False,
    as_json: AsJson = False,
) -> int:
    """Add lessons and skills from files.

    Ingesting the same files again changes nothing.
    """
    options = context.ensure_object(Options)
    reading = join([read_any(path) for path in dict.fromkeys(paths)])
    return send(options, reading, force=force, as_json=as_json)


def read_any(path: str) -> Reading:
    """Return the lessons of a file or a pipe, or the skills and commands of a folder."""
    if path == PIPE:
        return read_pipe()
    if not Path(path).is_dir():
        return read_lessons(Path(path))
    reading = read_skills(Path(path))
    if reading.skills or reading.refusals:
        return reading
    why = "holds no skill or command: name files of lessons one by one, or by *.md"
    return Reading(refusals=(Refusal(path, why),))


def read_pipe() -> Reading:
    """Return the lessons that a pipe brings: JSON Lines if it begins with {, else Markdown."""
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if len(raw) > LARGEST or b"\0" in raw:
        why = "is binary" if b"\0" in raw else f"has more than {LARGEST // 1_000_000} MB"
        return Reading(refusals=(Refusal(SOURCE, f"{why}: send text, in parts"),))
    text = raw.decode("utf-8", "surrogateescape")
    lined = text.lstrip("\ufeff \t\r\n").startswith("{")
    return parse_json_lines(text, SOURCE) if lined else parse_markdown(text, SOURCE)


def join(readings: list[Reading]) -> Reading:
    """Return all that was read; of two records of one id, the second is refused.

    Else each of the two would take the other's place whenever the files are ingested again.
    """
    places: dict[Lesson | Skill, str] = {}
    first: dict[tuple[type, str], str] = {}
    refusals = [refusal for reading in readings for refusal in reading.refusals]
    for reading in readings:
        for record, where in reading.places.items():
            above = first.setdefault((type(record), record.id), where)
            if above == where:
                places[record] = where
            else:
                why = f"the id '{record.id}' stands in {above} already: give it another"
                refusals.append(Refusal(where, why))
    lessons = tuple(record for record in places if isinstance(record, Lesson))
    skills = tuple(record for record in places if isinstance(record, Skill))
    derived = frozenset[str]().union(*(reading.derived for reading in readings))
    return Reading(lessons, skills, tuple(refusals), places, derived)
