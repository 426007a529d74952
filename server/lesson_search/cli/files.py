"""Send lessons and skills from files to the server, and export them to a file."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import write_whole
from hookwright_console.terminal import agree, count, dump, print_line, show_progress
from hookwright_console.text import make_printable, shorten
from lesson_search.cli.client import MAX_BULK, Client
from lesson_search.cli.options import (
    CollectionOption,
    JsonOption,
    Options,
    YesOption,
    print_message,
)
from lesson_search.files.folders import read_lesson_files, read_skills
from lesson_search.files.reader import (
    MAX_SIZE,
    PIPE,
    STDIN,
    ReadResult,
    Remark,
    parse_json_lines,
    parse_markdown,
    read_lessons,
    read_pipe,
    read_text,
    show_path,
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
MAX_NOTES = 10  # lines
MAX_ASKED = 50  # records requested individually rather than in pages


class Report:
    """The results so far: accepted IDs by change, refusals, and notes about records."""

    def __init__(self, read: ReadResult) -> None:
        self.accepted: dict[str, list[str]] = {change: [] for change in CHANGES}
        self.refusals = list(read.refusals)
        self.notes = list(read.notes)

    def add(self, result: IngestResult, where: str) -> None:
        if result.change == "refused":
            self.refusals.append(Remark(where, name_option(result.reason)))
            return
        self.accepted[result.change].append(result.id)
        if result.reason:
            self.notes.append(Remark(where, f"{result.change}: {result.reason}"))

    def show(self, *, as_json: bool) -> None:
        if as_json:
            refused = [{"where": refusal.where, "why": refusal.why} for refusal in self.refusals]
            notes = [{"where": note.where, "what": note.why} for note in self.notes]
            print(dump({**self.accepted, "refused": refused, "notes": notes}, indent=2))
            return
        notes_shown = self.notes if len(self.notes) <= MAX_NOTES else self.notes[: MAX_NOTES - 1]
        told = [(split_place(refusal.where), format_refusal(refusal)) for refusal in self.refusals]
        told += [(split_place(note.where), str(note)) for note in notes_shown]
        for _, line in sorted(told):
            print(make_printable(line), file=sys.stderr)
        if more := len(self.notes) - len(notes_shown):
            print_message(f"and {more:,} more such notes: see them all with --json")
        counts = {change: len(ids) for change, ids in self.accepted.items()}
        kept, left_out = counts.pop("kept"), counts.pop("left_out")
        counts["refused"] = len(self.refusals)
        print_line(", ".join(f"{number:,} {change}" for change, number in counts.items()))
        if kept or left_out:
            print_message(format_kept_counts(kept, left_out))


def split_place(where: str) -> tuple[str, int]:
    """Return the file and line of a location such as lessons.md:12; line 0 means the whole file."""
    path, _, line = where.rpartition(":")
    return (path, int(line)) if path and line.isdecimal() else (where, 0)


def format_refusal(refusal: Remark) -> str:
    is_whole_file = not split_place(refusal.where)[1]
    return str(refusal) if is_whole_file else f"{refusal.where}: refused: {refusal.why}"


def format_kept_counts(kept: int, left_out: int) -> str:
    held, restored = [], []
    if kept:
        held.append(f"kept {kept:,} edited")
        restored.append("replaces your edits with the file's text")
    if left_out:
        held.append(f"left out {left_out:,} deleted")
        restored.append("restores what you deleted")
    return f"{', '.join(held)}: --restore {' and '.join(restored)}"


def name_option(reason: str) -> str:
    """Return the reason for refusing a record, with the option that overrides it."""
    return reason.replace("force it", "add --force")


def upload(options: Options, read: ReadResult, *, force: bool, restore: bool, as_json: bool) -> int:
    """Ingest records from files, and report the results; return 1 if any record was refused."""
    report = Report(read)
    try:
        if read.locations or read.deleted:
            upload_records(options, read, report, force=force, restore=restore)
    except BaseException:
        if any(report.accepted.values()):  # accepted records remain on the server
            report.show(as_json=as_json)
        raise
    report.show(as_json=as_json)
    return int(bool(report.refusals))


def upload_records(
    options: Options, read: ReadResult, report: Report, *, force: bool, restore: bool
) -> None:
    with options.connect() as client, show_progress("Ingesting") as progress:
        known = find_known(client, "lessons", read.lessons)
        known |= find_known(client, "skills", read.skills)
        conflicts = find_conflicts(read, known)
        report.refusals += [
            Remark(read.locations[record], why) for record, why in conflicts.items()
        ]
        found: list[Lesson | Skill] = [*read.lessons, *read.skills]
        records = [record for record in found if record not in conflicts]
        spelled = [keep_spelling(record, known.get(find_key(record))) for record in records]
        progress(0, len(records))
        all_of_them = range(MAX_BULK)
        for start in range(0, len(records), MAX_BULK):
            bulk, forced = spelled[start : start + MAX_BULK], all_of_them if force else ()
            results = client.ingest(bulk, forced, all_of_them if restore else ())
            for result, record in zip(results, records[start:], strict=False):
                report.add(result, read.locations[record])
            progress(start + len(bulk), len(records))
        client.note_deleted(read.deleted)


def find_known(
    client: Client, collection: CollectionName, records: Sequence[Lesson | Skill]
) -> dict[Key, Lesson | Skill]:
    ids = {record.id for record in records}
    if len(ids) <= MAX_ASKED:
        found = [
            record for record in (client.find((collection, identity)) for identity in ids) if record
        ]
    else:
        found = [record for record in client.list_records(collection) if record.id in ids]
    return {find_key(record): record for record in found}


def find_conflicts(
    read: ReadResult, known: Mapping[Key, Lesson | Skill]
) -> dict[Lesson | Skill, str]:
    """Return the lessons that would replace a lesson from another file, with the reasons.

    A derived ID consists of the file's name and the lesson's title, without the folder, so that
    files can be moved. Lessons in two files can therefore have the same ID.
    """
    conflicts: dict[Lesson | Skill, str] = {}
    for lesson in read.lessons:
        other = known.get(find_key(lesson)) if lesson.id in read.derived else None
        if other is None or other.text == lesson.text:
            continue  # replacing it would lose nothing
        if not is_same_file(lesson.source_file, source := find_source(other)):
            origin = f"a lesson from {shorten(source)}" if source else "a lesson without a file"
            conflicts[lesson] = (
                f"the id '{lesson.id}' belongs to {origin}: add another `id:` to this"
                " lesson, or add that id to replace the other"
            )
    return conflicts


def keep_spelling(record: Lesson | Skill, known: Lesson | Skill | None) -> Lesson | Skill:
    if known is None or not is_same_file(find_source(record), find_source(known)):
        return record
    field = "source_file" if isinstance(record, Lesson) else "source"
    return replace(record, **{field: find_source(known)})  # type: ignore[arg-type]


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
    return ReadResult(refusals=(Remark(path, why),))


def read_piped() -> ReadResult:
    try:
        text = read_pipe()
    except RefusedError as refused:
        return ReadResult(refusals=(Remark(STDIN, str(refused)),))
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    return parse_json_lines(text, STDIN) if is_json else parse_markdown(text, STDIN)


def join(results: list[ReadResult]) -> ReadResult:
    """Return all records without duplicate IDs, since duplicates would replace each other."""
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
                refusals.append(Remark(where, why))
    derived = frozenset[str]().union(*(result.derived for result in results))
    notes = tuple(note for result in results for note in result.notes)
    deleted = tuple(row for result in results for row in result.deleted)
    return ReadResult(locations, tuple(refusals), notes, deleted, derived)


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
    options = context.ensure_object(Options)
    source, text = read_export(file)
    read = parse_json_lines(text, source)
    # Without a fingerprint, a record would appear unedited, and the next ingestion would replace
    # it.
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
    """Return whether a text starts with a heading, a rule or words, unlike JSON Lines."""
    beginning = text.lstrip("\ufeff \t\r\n")
    return beginning[:1].isalpha() or beginning.startswith(("#", "---"))


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
    options = context.ensure_object(Options)
    if file != PIPE and Path(file).is_file():
        agree(f"Replace {shorten(file)}?", yes=yes)
    counts = dict.fromkeys([collection] if collection else COLLECTIONS.values(), 0)
    with options.connect() as client:
        lines = list_lines(client, counts)
        if file == PIPE:
            for line in lines:
                print(line, end="")
        else:
            write_whole(Path(file), lines)
    total = " and ".join(count(number, noun[:-1]) for noun, number in counts.items())
    print_message(f"exported {total}" + ("" if file == PIPE else f" to {file}"))


def list_lines(client: Client, counts: dict[CollectionName, int]) -> Iterator[str]:
    """Yield a JSON line per record, and count the records of each collection."""
    for collection in counts:
        for record in client.list_records(collection):
            counts[collection] += 1
            yield dump(to_row(record)) + "\n"
    for where, identity in client.list_deleted():
        if where in counts:
            yield dump({"deleted": True, "collection": where, "id": identity}) + "\n"
