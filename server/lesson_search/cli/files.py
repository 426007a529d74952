"""Send lessons and skills from files to the server, and export them to a file."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
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
    collect_records,
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
    accepted: dict[str, list[str]] = {change: [] for change in CHANGES}  # IDs
    try:
        if read.locations or read.deleted:
            upload_records(context, read, accepted, force=force, restore=restore)
    except BaseException:
        if any(accepted.values()):  # these records remain on the server
            print_report(read, accepted, as_json=as_json)
        raise
    print_report(read, accepted, as_json=as_json)
    return int(bool(read.refusals))


def upload_records(
    context: typer.Context,
    read: ReadResult,
    accepted: Mapping[str, list[str]],
    *,
    force: bool,
    restore: bool,
) -> None:
    """Ingest the records, and add the results to the refusals, notes and accepted IDs."""
    with connect(context) as client, show_progress("Ingesting") as progress:
        known = find_known(client, {find_key(record) for record in read.locations})
        records: list[tuple[Lesson | Skill, str]] = []
        for record, where in read.locations.items():
            before = known.get(find_key(record))
            if before and is_same_file(find_source(record), find_source(before)):
                field = "source_file" if isinstance(record, Lesson) else "source"
                spelled = {field: find_source(before)}
                records.append((replace(record, **spelled), where))  # type: ignore[arg-type]
            elif before and (why := explain_conflict(read, record, before)):
                read.refusals.append((where, why))
            else:
                records.append((record, where))
        all_of_them = range(MAX_BULK)
        for start in range(0, len(records), MAX_BULK):
            progress(start, len(records))
            bulk = records[start : start + MAX_BULK]
            results = client.ingest(
                [record for record, _ in bulk],
                all_of_them if force else (),
                all_of_them if restore else (),
            )
            for result, (_, where) in zip(results, bulk, strict=True):
                if result.change == "refused":
                    read.refusals.append((where, name_option(result.reason)))
                else:
                    accepted[result.change].append(result.id)
                    if result.reason:
                        read.notes.append((where, f"{result.change}: {result.reason}"))
        client.note_deleted(read.deleted)


def print_report(read: ReadResult, accepted: Mapping[str, list[str]], *, as_json: bool) -> None:
    if as_json:
        refused = [{"where": where, "why": why} for where, why in read.refusals]
        notes = [{"where": where, "what": what} for where, what in read.notes]
        print(dump({**accepted, "refused": refused, "notes": notes}, indent=2))
        return
    more = len(read.notes) - MAX_NOTES + 1 if len(read.notes) > MAX_NOTES else 0
    remarks = read.notes[: -more or None]
    for where, why in read.refusals:
        is_whole_file = not split_place(where)[1]
        remarks.append((where, why if is_whole_file else f"refused: {why}"))
    for where, what in sorted(remarks, key=lambda remark: split_place(remark[0])):
        print(make_printable(f"{where}: {what}"), file=sys.stderr)
    if more:
        print_message(f"and {more:,} more such notes: see them all with --json")
    counts = {change: len(ids) for change, ids in accepted.items()}
    shown = {name: number for name, number in counts.items() if name not in SKIPPED}
    shown["refused"] = len(read.refusals)
    print_line(", ".join(f"{number:,} {change}" for change, number in shown.items()))
    if found := [(SKIPPED[name], counts[name]) for name in SKIPPED if counts[name]]:
        held = ", ".join(what.format(number) for (what, _), number in found)
        restores = " and ".join(restored for (_, restored), _ in found)
        print_message(f"{held}: --restore {restores}")


def find_known(client: Client, keys: set[Key]) -> dict[Key, Lesson | Skill]:
    """Return the stored records with these keys."""
    if len(keys) <= MAX_ASKED:
        found = [record for record in map(client.find, keys) if record]
    else:
        found = [
            record for name in {name for name, _ in keys} for record in client.list_records(name)
        ]
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

    read = collect_records([read_lessons(file, parse)])
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
