"""Send records from files to the server, and report the results."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from hookwright_console.terminal import dump, print_line, show_progress
from hookwright_console.text import make_printable, shorten
from lesson_search.cli.client import Client
from lesson_search.cli.options import Options, print_message
from lesson_search.files.reader import Note, ReadResult, Refusal
from lesson_search.records import CollectionName, Key, Lesson, Skill, find_key, find_source
from lesson_search.service.edits import IngestResult

ForceOption = Annotated[
    bool, typer.Option("--force", help="Also accept texts that look like a password or key.")
]
CHANGES = ("added", "updated", "unchanged", "kept", "left_out")
MAX_NOTES = 10  # lines
MAX_ASKED = 50  # records that are asked for one by one, and not in pages of all


class Report:
    """The results so far: accepted ids by their changes, refusals, and notes about records."""

    def __init__(self, read: ReadResult) -> None:
        self.accepted: dict[str, list[str]] = {change: [] for change in CHANGES}
        self.refusals = list(read.refusals)
        self.notes = list(read.notes)

    def add(self, result: IngestResult, where: str) -> None:
        if result.change == "refused":
            self.refusals.append(Refusal(where, name_option(result.reason)))
            return
        self.accepted[result.change].append(result.id)
        if result.reason:
            self.notes.append(Note(where, f"{result.change}: {result.reason}"))

    def show(self, *, as_json: bool) -> None:
        if as_json:
            refused = [{"where": refusal.where, "why": refusal.why} for refusal in self.refusals]
            notes = [{"where": note.where, "what": note.why} for note in self.notes]
            print(dump({**self.accepted, "refused": refused, "notes": notes}, indent=2))
            return
        notes_shown = self.notes if len(self.notes) <= MAX_NOTES else self.notes[: MAX_NOTES - 1]
        told = [(split_place(one.where), word_refusal(one)) for one in self.refusals]
        told += [(split_place(one.where), str(one)) for one in notes_shown]
        for _, line in sorted(told):
            print(make_printable(line), file=sys.stderr)
        if more := len(self.notes) - len(notes_shown):
            print_message(f"and {more:,} more such notes: see them all with --json")
        counts = {change: len(ids) for change, ids in self.accepted.items()}
        kept, left_out = counts.pop("kept"), counts.pop("left_out")
        counts["refused"] = len(self.refusals)
        print_line(", ".join(f"{number:,} {change}" for change, number in counts.items()))
        if kept or left_out:
            print_message(word_held(kept, left_out))


def split_place(where: str) -> tuple[str, int]:
    """Return the file and the line of a place such as lessons.md:12; 0 for a whole file."""
    path, _, line = where.rpartition(":")
    return (path, int(line)) if path and line.isdecimal() else (where, 0)


def word_refusal(refusal: Refusal) -> str:
    is_whole_file = not split_place(refusal.where)[1]
    return str(refusal) if is_whole_file else f"{refusal.where}: refused: {refusal.why}"


def word_held(kept: int, left_out: int) -> str:
    held, restored = [], []
    if kept:
        held.append(f"kept {kept:,} edited")
        restored.append("replaces your edits with the file's text")
    if left_out:
        held.append(f"left out {left_out:,} deleted")
        restored.append("brings back what you deleted")
    return f"{', '.join(held)}: --restore {' and '.join(restored)}"


def name_option(reason: str) -> str:
    """Return why the server refused a record, with the option that forces it."""
    return reason.replace("force it", "add --force")


def upload(options: Options, read: ReadResult, *, force: bool, restore: bool, as_json: bool) -> int:
    """Ingest the records from files, and report the results; return 1 if anything was refused."""
    report = Report(read)
    try:
        if read.locations or read.deleted:
            upload_records(options, read, report, force=force, restore=restore)
    except BaseException:
        if any(report.accepted.values()):  # these stay on the server
            report.show(as_json=as_json)
        raise
    report.show(as_json=as_json)
    return int(bool(report.refusals))


def upload_records(
    options: Options, read: ReadResult, report: Report, *, force: bool, restore: bool
) -> None:
    done = 0
    with options.connect() as client, show_progress("Ingesting") as progress:
        known = find_known(client, "lessons", read.lessons)
        known |= find_known(client, "skills", read.skills)
        conflicts = find_conflicts(read, known)
        report.refusals += [Refusal(read.locations[one], why) for one, why in conflicts.items()]
        found: list[Lesson | Skill] = [*read.lessons, *read.skills]
        records = [one for one in found if one not in conflicts]
        remaining = iter(records)
        spelled = [keep_spelling(record, known.get(find_key(record))) for record in records]
        progress(0, len(records))
        for results in client.ingest(spelled, force=force, restore=restore):
            for result, record in zip(results, remaining, strict=False):
                report.add(result, read.locations[record])
            done += len(results)
            progress(done, len(records))
        client.note_deleted(read.deleted)


def find_known(
    client: Client, collection: CollectionName, records: Sequence[Lesson | Skill]
) -> dict[Key, Lesson | Skill]:
    ids = {one.id for one in records}
    if len(ids) <= MAX_ASKED:
        found = [one for one in (client.get(collection, identity) for identity in ids) if one]
    else:
        found = [one for one in client.list_records(collection) if one.id in ids]
    return {find_key(one): one for one in found}


def find_conflicts(
    read: ReadResult, known: Mapping[Key, Lesson | Skill]
) -> dict[Lesson | Skill, str]:
    """Return the lessons that would replace a known one from another file, each with the reason.

    A derived id consists of the file's name and the lesson's title, without the folder, so that
    files can be moved. Lessons of two files can therefore have the same id.
    """
    conflicts: dict[Lesson | Skill, str] = {}
    for lesson in read.lessons:
        other = known.get(find_key(lesson)) if lesson.id in read.derived else None
        if other is None or other.text == lesson.text:
            continue  # nothing would be lost
        if not is_same_file(lesson.source_file, source := find_source(other)):
            origin = f"a lesson from {shorten(source)}" if source else "a lesson without a file"
            conflicts[lesson] = (
                f"the id '{lesson.id}' belongs to {origin}: add an `id:` of its own, or this"
                " id to replace that lesson"
            )
    return conflicts


def keep_spelling(record: Lesson | Skill, known: Lesson | Skill | None) -> Lesson | Skill:
    if known is None or not is_same_file(find_source(record), find_source(known)):
        return record
    field = "source_file" if isinstance(record, Lesson) else "source"
    return replace(record, **{field: find_source(known)})  # type: ignore[arg-type]


def is_same_file(path: str, other: str) -> bool:
    """Return whether two paths, from the current folder or absolute, are of the same file."""
    return path == other or os.path.abspath(path) == os.path.abspath(other)  # noqa: PTH100 - of any text
