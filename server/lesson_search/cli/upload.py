"""Send records from files to the server, and report the results."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from hookwright_console.terminal import dump, print_line, show_progress
from hookwright_console.text import make_printable, shorten
from lesson_search.cli.options import Options
from lesson_search.client import Answer, Client
from lesson_search.files.reader import ReadResult, Refusal
from lesson_search.records import Lesson, Skill

ForceOption = Annotated[
    bool, typer.Option("--force", help="Also accept texts that look like a password or key.")
]
Accepted = Mapping[str, list[str]]  # ids by "added", "updated" and "unchanged"


def upload(options: Options, read: ReadResult, *, force: bool, as_json: bool) -> int:
    """Ingest the records from files, and report what was added and what was refused.

    Args:
        options: The options of the command line.
        read: The records, and what could not be read.
        force: Also accept texts that look like secrets.
        as_json: Report in JSON.

    Returns:
        1 if anything was refused, else 0.

    """
    accepted: Accepted = {"added": [], "updated": [], "unchanged": []}
    refusals = list(read.refusals)
    try:
        if read.lessons or read.skills:
            upload_records(options, read, force=force, accepted=accepted, refusals=refusals)
    except BaseException:
        if any(accepted.values()):  # these stay on the server
            report(accepted, refusals, as_json=as_json)
        raise
    report(accepted, refusals, as_json=as_json)
    return int(bool(refusals))


def upload_records(
    options: Options,
    read: ReadResult,
    *,
    force: bool,
    accepted: Accepted,
    refusals: list[Refusal],
) -> None:
    """Send records, and add each result to `accepted` or `refusals` as soon as it arrives."""
    done = 0
    with options.connect() as client, show_progress("Ingesting") as progress:
        conflicts = find_conflicts(client, read)
        refusals += [Refusal(read.locations[one], why) for one, why in conflicts.items()]
        read_records: list[Lesson | Skill] = [*read.lessons, *read.skills]
        records = [one for one in read_records if one not in conflicts]
        remaining = iter(records)
        items = [build_item(record, force=force) for record in records]
        progress(0, len(items))
        for results in client.ingest(items):
            for result, record in zip(results, remaining, strict=False):
                if result["change"] == "refused":
                    refusals.append(Refusal(read.locations[record], result["reason"]))
                else:
                    accepted[result["change"]].append(record.id)
            done += len(results)
            progress(done, len(items))


def find_conflicts(client: Client, read: ReadResult) -> dict[Lesson | Skill, str]:
    """Return the lessons that would replace a lesson from another file, each with the reason.

    A derived id consists of the file's name and the lesson's title, without the folder, so that
    files can be moved. Lessons of two files can therefore have the same id.
    """
    derived = {one.id: one for one in read.lessons if one.id in read.derived}
    conflicts: dict[Lesson | Skill, str] = {}
    for page in client.list_records("lessons") if derived else ():
        for row in page:
            lesson = derived.get(row["id"])
            if not lesson or lesson.text == row["text"]:
                continue  # nothing would be lost
            if lesson.source_file != (source := row["source_file"]):
                origin = f"a lesson from {shorten(source)}" if source else "a lesson without a file"
                conflicts[lesson] = (
                    f"the id '{lesson.id}' belongs to {origin}: add an `id:` of its own, or this"
                    " id to replace that lesson"
                )
    return conflicts


def build_item(record: Lesson | Skill, *, force: bool) -> Answer:
    """Return a record as the server expects it, without empty fields.

    Empty categories are only sent for a record that was classified already: otherwise the server
    classifies it.
    """
    item = {**asdict(record), "categories": list(record.categories), "force": force}
    always = {"source", "source_file"} | ({"categories"} if record.classified else set())
    return {field: value for field, value in item.items() if value or field in always}


def report(accepted: Accepted, refusals: Sequence[Refusal], *, as_json: bool) -> None:
    """Print how many records were added, updated, unchanged and refused, and why."""
    if as_json:
        refused = [{"where": refusal.where, "why": refusal.why} for refusal in refusals]
        print(dump({**accepted, "refused": refused}, indent=2))
        return
    for refusal in refusals:
        print(make_printable(str(refusal)), file=sys.stderr)
    counts = {change: len(ids) for change, ids in accepted.items()} | {"refused": len(refusals)}
    print_line(", ".join(f"{number:,} {change}" for change, number in counts.items()))
