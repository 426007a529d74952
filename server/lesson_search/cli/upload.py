"""Send records from files to the server, and report the results."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated

import typer

from hookwright_console.terminal import dump, print_line, show_progress
from hookwright_console.text import make_printable, shorten
from lesson_search.cli.client import Answer, Client
from lesson_search.cli.options import Options, print_message
from lesson_search.files.reader import Note, ReadResult, Refusal
from lesson_search.records import Lesson, Skill

ForceOption = Annotated[
    bool, typer.Option("--force", help="Also accept texts that look like a password or key.")
]
CHANGES = ("added", "updated", "unchanged", "kept", "left_out")
MAX_NOTES = 10  # lines
MAX_ASKED = 50  # records that are asked for one by one, and not in pages of all


@dataclass(frozen=True)
class Rules:
    """What a server accepts besides.

    Args:
        force: Texts that look like secrets.
        restore: Records that were edited or deleted there.

    """

    force: bool = False
    restore: bool = False


class Report:
    """The results so far.

    Args:
        accepted: The ids of accepted records, by their changes.
        refusals: What was refused.
        notes: What else to tell about records.

    """

    def __init__(self, read: ReadResult) -> None:
        self.accepted: dict[str, list[str]] = {change: [] for change in CHANGES}
        self.refusals = list(read.refusals)
        self.notes = list(read.notes)

    def add(self, result: Answer, where: str) -> None:
        """Add the result for a record.

        Args:
            result: The answer of the server.
            where: The location of the record.

        """
        change, why = result["change"], result["reason"]
        if change == "refused":
            self.refusals.append(Refusal(where, name_option(why)))
            return
        self.accepted[change].append(result["id"])
        if why:
            self.notes.append(Note(where, f"{change}: {why}"))

    def show(self, *, as_json: bool) -> None:
        """Print how many records were added, updated and so on, and why some were not."""
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
    """Return a refusal in a line, unlike a note if others of its file may be notes."""
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


def upload(options: Options, read: ReadResult, rules: Rules, *, as_json: bool) -> int:
    """Ingest the records from files, and report what was added and what was refused.

    Args:
        options: The options of the command line.
        read: The records, and what could not be read.
        rules: What to accept besides.
        as_json: Report in JSON.

    Returns:
        1 if anything was refused, else 0.

    """
    report = Report(read)
    try:
        if read.lessons or read.skills or read.deleted:
            upload_records(options, read, rules, report)
    except BaseException:
        if any(report.accepted.values()):  # these stay on the server
            report.show(as_json=as_json)
        raise
    report.show(as_json=as_json)
    return int(bool(report.refusals))


def upload_records(options: Options, read: ReadResult, rules: Rules, report: Report) -> None:
    done = 0
    with options.connect() as client, show_progress("Ingesting") as progress:
        lessons = find_known(client, "lessons", read.lessons)
        skills = find_known(client, "skills", read.skills)
        conflicts = find_conflicts(read, lessons)
        report.refusals += [Refusal(read.locations[one], why) for one, why in conflicts.items()]
        read_records: list[Lesson | Skill] = [*read.lessons, *read.skills]
        records = [one for one in read_records if one not in conflicts]
        remaining = iter(records)
        spelled = [
            keep_spelling(one, (lessons if isinstance(one, Lesson) else skills).get(one.id))
            for one in records
        ]
        items = [build_item(record, rules) for record in spelled]
        progress(0, len(items))
        for results in client.ingest(items):
            for result, record in zip(results, remaining, strict=False):
                report.add(result, read.locations[record])
            done += len(results)
            progress(done, len(items))
        client.note_deleted([asdict(row) for row in read.deleted])


def find_known(client: Client, kind: str, records: Sequence[Lesson | Skill]) -> dict[str, Answer]:
    ids = {one.id for one in records}
    if len(ids) <= MAX_ASKED:
        rows = [row for row in (client.get(kind, one) for one in ids) if row]
    else:
        rows = [row for page in client.list_records(kind) for row in page if row["id"] in ids]
    return {row["id"]: row for row in rows}


def find_conflicts(read: ReadResult, known: Mapping[str, Answer]) -> dict[Lesson | Skill, str]:
    """Return the lessons that would replace a lesson from another file, each with the reason.

    A derived id consists of the file's name and the lesson's title, without the folder, so that
    files can be moved. Lessons of two files can therefore have the same id.

    Args:
        read: The lessons.
        known: The lessons on the server with the same ids.

    """
    conflicts: dict[Lesson | Skill, str] = {}
    for lesson in read.lessons:
        row = known.get(lesson.id) if lesson.id in read.derived else None
        if row is None or row["text"] == lesson.text:
            continue  # nothing would be lost
        if not is_same_file(lesson.source_file, source := row["source_file"]):
            origin = f"a lesson from {shorten(source)}" if source else "a lesson without a file"
            conflicts[lesson] = (
                f"the id '{lesson.id}' belongs to {origin}: add an `id:` of its own, or this"
                " id to replace that lesson"
            )
    return conflicts


def keep_spelling(record: Lesson | Skill, row: Answer | None) -> Lesson | Skill:
    if row is None:
        return record
    if isinstance(record, Skill):
        same = is_same_file(record.source, row["source"])
        return replace(record, source=row["source"]) if same else record
    same = is_same_file(record.source_file, row["source_file"])
    return replace(record, source_file=row["source_file"]) if same else record


def is_same_file(path: str, other: str) -> bool:
    """Return whether two paths, from the current folder or absolute, are of the same file."""
    return path == other or os.path.abspath(path) == os.path.abspath(other)  # noqa: PTH100 - of any text


def build_item(record: Lesson | Skill, rules: Rules) -> Answer:
    """Return a record as the server expects it, without empty fields.

    Empty categories are only sent for a record that was classified already: otherwise the server
    classifies it.
    """
    item = {**asdict(record), "categories": list(record.categories), **asdict(rules)}
    always = {"source", "source_file"} | ({"categories"} if record.classified else set())
    return {field: value for field, value in item.items() if value or field in always}
