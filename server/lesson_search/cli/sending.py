"""Send what was read to the server, and report what became of it."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from hookwright_console.terminal import dump, show_progress, tell
from hookwright_console.text import make_printable, show
from lesson_search.cli.options import Options
from lesson_search.client import Answer, Client
from lesson_search.files.reader import Reading, Refusal
from lesson_search.records import Lesson, Skill

AsForced = Annotated[
    bool, typer.Option("--force", help="Take texts that seem to hold a password or key, too.")
]
Taken = Mapping[str, list[str]]  # the ids that were added, updated and unchanged


def send(options: Options, reading: Reading, *, force: bool, as_json: bool) -> int:
    """Ingest what was read, and report what became of it, and where it was refused.

    Args:
        options: What the user chose.
        reading: Records, and what could not be read.
        force: Take what seems to hold secrets, too.
        as_json: Report for a script.

    Returns:
        1 if something was refused, else 0.

    """
    records: list[Lesson | Skill] = [*reading.lessons, *reading.skills]
    taken: Taken = {"added": [], "updated": [], "unchanged": []}
    refusals = list(reading.refusals)
    try:
        if records:
            send_all(options, records, force=force, taken=taken, refused=(reading, refusals))
    except BaseException:
        if any(taken.values()):  # what was taken stays so
            report(taken, refusals, as_json=as_json)
        raise
    report(taken, refusals, as_json=as_json)
    return int(bool(refusals))


def send_all(
    options: Options,
    records: Sequence[Lesson | Skill],
    *,
    force: bool,
    taken: Taken,
    refused: tuple[Reading, list[Refusal]],
) -> None:
    """Send records, and note what became of each as soon as the server says so."""
    reading, refusals = refused
    done = 0
    with options.connect() as client, show_progress("Ingesting") as progress:
        others = find_others(client, reading)
        for record, why in others.items():
            refusals.append(Refusal(reading.places[record], why))
        free = [record for record in records if record not in others]
        remaining = iter(free)
        items = [build_item(record, force=force) for record in free]
        progress(0, len(items))
        for results in client.ingest(items):
            for result, record in zip(results, remaining, strict=False):
                if result["change"] == "refused":
                    refusals.append(Refusal(reading.places[record], result["reason"]))
                else:
                    taken[result["change"]].append(record.id)
            done += len(results)
            progress(done, len(items))


def find_others(client: Client, reading: Reading) -> dict[Lesson | Skill, str]:
    """Return the lessons that would take the place of one from another file, and why not to.

    A lesson's id is derived from no more than its file's name and its title, so that it stays
    where the file is moved to another folder. Two equal ones may then be of two files.
    """
    derived = {one.id: one for one in reading.lessons if one.id in reading.derived}
    others: dict[Lesson | Skill, str] = {}
    for page in client.list_records("lessons") if derived else ():
        for row in page:
            lesson = derived.get(row["id"])
            if not lesson or lesson.text == row["text"]:
                continue  # of equal ones, nothing is lost
            if lesson.source_file != (source := row["source_file"]):
                whence = f"from {show(source)}" if source else "that is from no file"
                others[lesson] = (
                    f"the id '{lesson.id}' has another lesson {whence}: give it an `id:` of its "
                    "own, or this one to replace that"
                )
    return others


def build_item(record: Lesson | Skill, *, force: bool) -> Answer:
    """Return a record as the server takes it; what it has not is left to the server.

    Only one that was sorted, and fitted nowhere, says that it has no categories: else it is sorted.
    """
    item = {**asdict(record), "categories": list(record.categories), "force": force}
    kept = {"source", "source_file"} | ({"categories"} if record.classified else set())
    return {field: value for field, value in item.items() if value or field in kept}


def report(taken: Taken, refusals: Sequence[Refusal], *, as_json: bool) -> None:
    """Print how many were added, updated, unchanged and refused, and where."""
    if as_json:
        refused = [{"where": refusal.where, "why": refusal.why} for refusal in refusals]
        print(dump({**taken, "refused": refused}, indent=2))
        return
    for refusal in refusals:
        print(make_printable(str(refusal)), file=sys.stderr)
    counts = {change: len(ids) for change, ids in taken.items()} | {"refused": len(refusals)}
    tell(", ".join(f"{number:,} {change}" for change, number in counts.items()))
