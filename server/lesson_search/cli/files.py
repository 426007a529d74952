"""Send lessons and skills from files to the server, and export them to a file."""

import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import write_whole
from hookwright_console.terminal import agree, dump, print_line, show_progress
from hookwright_console.text import make_printable, shorten
from lesson_search.cli.client import MAX_BULK, Client
from lesson_search.cli.options import (
    CollectionOption,
    JsonOption,
    YesOption,
    connect,
    format_counts,
    print_message,
)
from lesson_search.files.folders import read_files
from lesson_search.files.reader import (
    PIPE,
    Entry,
    ReadResult,
    gather,
    parse_json_lines,
    read_lessons,
)
from lesson_search.records import (
    COLLECTIONS,
    UNKNOWN,
    CollectionName,
    Key,
    Lesson,
    Skill,
    find_key,
    find_source,
    to_row,
)
from lesson_search.service.edits import IngestResult

ForceOption = Annotated[
    bool, typer.Option("--force", help="Also accept texts that look like a password or key.")
]
CHANGES = ("added", "updated", "unchanged", "kept", "left_out")
SKIPPED = {  # how these are reported, and what --restore does
    "kept": ("kept {:,} edited", "replaces your edits with the file's text"),
    "left_out": ("left out {:,} deleted", "restores what you deleted"),
}
MAX_NOTES = 10  # lines
MAX_ASKED = 50  # records requested individually rather than in pages


class Report:
    """The results so far: accepted IDs by change, refusals, and notes about records."""

    def __init__(self, read: ReadResult) -> None:
        self.accepted: dict[str, list[str]] = {change: [] for change in CHANGES}
        self.refusals = read.refusals
        self.notes = read.notes

    def add(self, result: IngestResult, where: str) -> None:
        if result.change == "refused":
            self.refusals.append((where, name_option(result.reason)))
            return
        self.accepted[result.change].append(result.id)
        if result.reason:
            self.notes.append((where, f"{result.change}: {result.reason}"))

    def show(self, *, as_json: bool) -> None:
        if as_json:
            refused = [{"where": where, "why": why} for where, why in self.refusals]
            notes = [{"where": where, "what": what} for where, what in self.notes]
            print(dump({**self.accepted, "refused": refused, "notes": notes}, indent=2))
            return
        more = len(self.notes) - MAX_NOTES + 1 if len(self.notes) > MAX_NOTES else 0
        shown = self.notes[: -more or None]
        lines = [(split_place(where), f"{where}: {what}") for where, what in shown]
        for where, why in self.refusals:
            place = split_place(where)  # in line 0, a whole file is refused
            lines.append((place, f"{where}: {'refused: ' if place[1] else ''}{why}"))
        for _, line in sorted(lines):
            print(make_printable(line), file=sys.stderr)
        if more:
            print_message(f"and {more:,} more such notes: see them all with --json")
        counts = {change: len(ids) for change, ids in self.accepted.items()}
        skipped = {change: counts.pop(change) for change in SKIPPED}
        counts["refused"] = len(self.refusals)
        print_line(", ".join(f"{number:,} {change}" for change, number in counts.items()))
        found = [(SKIPPED[change], number) for change, number in skipped.items() if number]
        if found:
            held = ", ".join(what.format(number) for (what, _), number in found)
            restores = " and ".join(restored for (_, restored), _ in found)
            print_message(f"{held}: --restore {restores}")


def split_place(where: str) -> tuple[str, int]:
    """Return the file and line of a location such as lessons.md:12; line 0 means the whole file."""
    path, _, line = where.rpartition(":")
    return (path, int(line)) if path and line.isdecimal() else (where, 0)


def name_option(reason: str) -> str:
    """Return the reason for refusing a record, with the option that overrides it."""
    return reason.replace("force it", "add --force")


def upload(
    context: typer.Context, read: ReadResult, *, force: bool, restore: bool, as_json: bool
) -> int:
    """Ingest records from files, and report the results; return 1 if any record was refused."""
    report = Report(read)
    try:
        if read.locations or read.deleted:
            upload_records(context, read, report, force=force, restore=restore)
    except BaseException:
        if any(report.accepted.values()):  # accepted records remain on the server
            report.show(as_json=as_json)
        raise
    report.show(as_json=as_json)
    return int(bool(report.refusals))


def upload_records(
    context: typer.Context, read: ReadResult, report: Report, *, force: bool, restore: bool
) -> None:
    with connect(context) as client, show_progress("Ingesting") as progress:
        known = find_known(client, {find_key(record) for record in read.locations})
        accepted: list[tuple[Lesson | Skill, str]] = []
        for record, where in read.locations.items():
            before = known.get(find_key(record))
            if before and is_same_file(find_source(record), find_source(before)):
                field = "source_file" if isinstance(record, Lesson) else "source"
                spelled = {field: find_source(before)}
                accepted.append((replace(record, **spelled), where))  # type: ignore[arg-type]
            elif before and (why := explain_conflict(read, record, before)):
                report.refusals.append((where, why))
            else:
                accepted.append((record, where))
        all_of_them = range(MAX_BULK)
        for start in range(0, len(accepted), MAX_BULK):
            progress(start, len(accepted))
            bulk = accepted[start : start + MAX_BULK]
            results = client.ingest(
                [record for record, _ in bulk],
                all_of_them if force else (),
                all_of_them if restore else (),
            )
            for result, (_, where) in zip(results, bulk, strict=True):
                report.add(result, where)
        client.note_deleted(read.deleted)


def find_known(client: Client, keys: set[Key]) -> dict[Key, Lesson | Skill]:
    """Return the stored records with these keys."""
    if len(keys) <= MAX_ASKED:
        found = [record for record in map(client.find, keys) if record]
    else:
        names = {collection for collection, _ in keys}
        found = [record for collection in names for record in client.list_records(collection)]
    return {find_key(record): record for record in found if find_key(record) in keys}


def explain_conflict(read: ReadResult, record: Lesson | Skill, before: Lesson | Skill) -> str:
    """Return why a lesson may not replace one from another file, or "".

    A derived ID consists of the file's name and the lesson's title, without the folder, so that
    files can be moved. Lessons in two files can therefore have the same ID.
    """
    is_derived = isinstance(record, Lesson) and record.id in read.derived
    if not is_derived or record.text == before.text:
        return ""
    source = find_source(before)
    origin = f"a lesson from {shorten(source)}" if source else "a lesson without a file"
    return (
        f"the id '{before.id}' belongs to {origin}: add another `id:` to this lesson, or add that"
        " id to replace the other"
    )


def is_same_file(path: str, other: str) -> bool:
    """Return whether two paths, relative or absolute, refer to the same file."""
    return path == other or os.path.abspath(path) == os.path.abspath(other)  # noqa: PTH100 - of any text


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

    Ingesting the same files again applies their changes, and keeps edits and deletions made here.
    """
    return upload(context, read_files(paths), force=force, restore=restore, as_json=as_json)


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

    Records in the file replace those with the same ID; all others stay.
    """

    def parse(text: str, source: str) -> list[Entry]:
        beginning = text.lstrip("\ufeff \t\r\n")
        if beginning[:1].isalpha() or beginning.startswith(("#", "---")):
            raise RefusedError(
                f"{source}: looks like Markdown, not like an export: use lesson-search ingest"
                f" {shlex.quote(file)}"
            )
        return parse_json_lines(text, source)

    read = gather([read_lessons(file, parse)])
    # Without a fingerprint, a record would appear unedited, and the next ingestion would replace
    # it.
    read.locations = {
        replace(record, ingested=record.ingested or UNKNOWN): where
        for record, where in read.locations.items()
    }
    return upload(context, read, force=force, restore=True, as_json=as_json)


def export(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The file to write; - for standard output.")
    ] = PIPE,
    *,
    collection: CollectionOption = None,
    yes: YesOption = False,
) -> None:
    """Write all lessons and skills as JSON Lines.

    import and ingest read this format. It also contains the IDs of deleted records.
    """
    if file != PIPE and Path(file).is_file():
        agree(f"Replace {shorten(file)}?", yes=yes)
    counts = dict.fromkeys([collection] if collection else COLLECTIONS.values(), 0)
    with connect(context) as client:
        lines = list_lines(client, counts)
        if file == PIPE:
            for line in lines:
                print(line, end="")
        else:
            write_whole(Path(file), lines)
    place = "" if file == PIPE else f" to {file}"
    print_message(f"exported {format_counts(counts)}{place}")


def list_lines(client: Client, counts: dict[CollectionName, int]) -> Iterator[str]:
    """Yield a JSON line per record, and count the records of each collection."""
    for collection in counts:
        for record in client.list_records(collection):
            counts[collection] += 1
            yield dump(to_row(record)) + "\n"
    for where, identity in client.list_deleted():
        if where in counts:
            yield dump({"deleted": True, "collection": where, "id": identity}) + "\n"
