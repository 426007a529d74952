"""Import records from shared catalogues, for the first time or again."""

import difflib
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from hookwright.answers.yaml_files import write_yaml
from hookwright.catalogues.catalogue import (
    PINS,
    Key,
    Pin,
    Record,
    Records,
    UnreadableError,
    change_records,
    find_source,
    format_key,
    hash_record,
    keep_pins,
    key_records,
    open_catalogue,
    read_pins,
    renew_digests,
)
from hookwright.cli.apply import apply, report
from hookwright.cli.current_project import ChangeOptions, take_change_options
from hookwright.cli.installation import warn_of_records
from hookwright.cli.terminal import print_note, show_diff
from hookwright.patterns.check import list_doubts
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.simulate.trial import list_failed_tests
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import check_terminal, count, print_line, wrap
from hookwright_console.text import escape_hidden, make_printable, shorten

NAMED = 3  # records listed in a message
LETTERS = "[y/N/a/s]"
ANSWERS = {"": "n", "n": "n", "no": "n", "y": "y", "yes": "y", "a": "a", "s": "s"}


def take_records(
    project: Project,
    sources: Sequence[str],
    only: Sequence[str] = (),
    *,
    again: bool = False,
    check: bool = False,
    options: ChangeOptions,
) -> int:
    """Import records from catalogues into a project; return the exit code.

    `only` names the records to import; if empty, all are imported. With `again`, declined and
    removed records are skipped, and a failing source does not stop the command. With `check`,
    nothing is changed, and the exit code is 1 if there are records to import.
    """
    if not check:
        check_committed(project)
    pins, future, names, code = read_pins(project), project, [], 0
    for source in sources:
        try:
            records, left_out, sha256 = open_catalogue(source, future)
        except RefusedError as refused:
            if not again:
                raise
            gone = isinstance(refused, UnreadableError)
            print_note(f"{refused}; change or remove it in {PINS}" if gone else str(refused))
            code = 1
            continue
        if left_out:
            print_note(f"not imported from {source}: {', '.join(left_out)}")
        here = key_records(future.answers)
        offered, obstacles = choose_records(source, records, here, pins, only, again=again)
        report_obstacles(obstacles, refuses=not again and (not options.asks or bool(only)))
        if not offered:
            print_line(f"{source}: up to date")
        asks = options.asks and not check
        keys = offer(offered, here, yes=not asks, shows=asks or check)
        taken = {key: offered[key] for key in keys}
        names += [name for _, name in taken]
        former = pins[source].records if source in pins else {}
        pins[source] = Pin(sha256, renew_digests(records, former, taken, here))
        future = change_records(future, taken)
        if not check:
            databases = [record for (kind, _), record in taken.items() if kind == "databases"]
            routes = {name: record for (kind, name), record in taken.items() if kind == "routes"}
            warn_of_records(future, databases, routes)
    if check:
        return max(code, int(bool(names)))
    if not names:
        return max(code, report(options, f"Import nothing from {', '.join(sources)}"))
    change = keep_pins(plan_change(project, future.answers), pins)
    what = ", ".join(names) if len(names) <= NAMED else count(len(names), "record")
    return max(code, apply(change, f"Import {what} from {', '.join(sources)}", options))


def report_obstacles(obstacles: Sequence[str], *, refuses: bool) -> None:
    for obstacle in obstacles:
        if refuses:
            raise RefusedError(f"{obstacle}: remove it, or name the others with --only")
        print_note(f"{obstacle}: it stays until you run hookwright remove")


def choose_records(
    source: str,
    records: Records,
    here: Records,
    pins: Mapping[str, Pin],
    only: Sequence[str],
    *,
    again: bool,
) -> tuple[Records, list[str]]:
    """Return a catalogue's new and changed records, and why other records cannot be imported."""
    names = [name for _, name in records]
    for name in only:
        if name not in names:
            raise RefusedError(f"{source} has no record {name}: it has {', '.join(names)}")
    known = pins[source].records if source in pins else {}
    gone = [key for key, was in known.items() if was and key in here and key not in records]
    obstacles = [f"{format_key(key)} is no longer in {source}" for key in gone if again]
    offered = {}
    for key, record in records.items():
        was, mine = known.get(key), here.get(key)
        passed_over = again and key in known and not (was and mine)
        same = mine is not None and (mine == record or was == hash_record(record))
        if (only and key[1] not in only) or passed_over or same:
            continue
        if mine is None or hash_record(mine) == was:
            offered[key] = record
        elif was:
            obstacles.append(f"{format_key(key)} changed here and in {source}")
        else:
            origin = next((other for other, pin in pins.items() if pin.records.get(key)), "")
            but = f" but from {origin}" if origin else ""
            obstacles.append(f"{format_key(key)} exists already, not from {source}{but}")
    return offered, obstacles


def offer(records: Records, here: Records, *, yes: bool, shows: bool = True) -> list[Key]:
    """Show each record, ask whether to import it, and return the keys of the accepted ones."""
    chosen = []
    for key, record in records.items():
        if shows and key in here:
            show_change(key, here[key], record)
        elif shows:
            show_record(key, record)
        if key[0] == "routes":
            print_note(*list_doubts({key[1]: record}))
        if not yes:
            check_terminal(yes=False)
            answer = ask_letter(f"Import the {format_key(key)}? (a imports all the rest, s stops)")
            if answer == "s":
                break
            yes = answer == "a"
            if not yes and answer != "y":
                continue
        chosen.append(key)
    kept = {**here, **{key: records[key] for key in chosen}}
    routes = {name: record for (question, name), record in kept.items() if question == "routes"}
    print_note(*list_failed_tests(routes, [name for _, name in chosen]))
    return chosen


def ask_letter(question: str) -> str:
    """Ask a question and return the answer's letter, or "s" at the end of input."""
    while True:
        print(
            f"{wrap(question, room=len(LETTERS))} {LETTERS} ", end="", file=sys.stderr, flush=True
        )
        line = sys.stdin.readline()
        answer = line.strip().casefold() if line else "s"
        if answer in ANSWERS:
            return ANSWERS[answer]
        print(wrap(f"expected y, n, a or s, got {shorten(line.strip())}"), file=sys.stderr)


def show_record(key: Key, record: Record) -> None:
    tests = record.get("tests") or ()
    print_line(f"{format_key(key)}" + (f", with {count(len(tests), 'test')}" if tests else ""))
    text = write_yaml({name: field for name, field in record.items() if name != "tests"})
    print("".join(f"    {line}\n" for line in escape_hidden(text).splitlines()))


def show_change(key: Key, before: Record, after: Record) -> None:
    old, new = (write_yaml(side).splitlines() for side in (before, after))
    name = make_printable(format_key(key))
    lines = difflib.unified_diff(old, new, f"here: {name}", f"there: {name}", lineterm="")
    show_diff("\n".join(lines))


@take_change_options
def sync(
    source: Annotated[
        str, typer.Argument(help="The catalogue.", show_default="all of the project's")
    ] = "",
    *,
    check: Annotated[
        bool, typer.Option(help="Change nothing; exit with 1 if something would change.")
    ] = False,
    options: ChangeOptions,
) -> int:
    """Import changes from your catalogues."""
    if check and options.report:
        raise typer.BadParameter("--check cannot print JSON: use --dry-run --json")
    opened = options.open()
    pins = read_pins(opened)
    sources = [find_source(source)] if source else list(pins)
    if not pins or sources[0] not in pins:
        raise RefusedError(
            f"no record comes from {sources[0] if sources else 'a catalogue'}: "
            "import some with hookwright add --from"
        )
    return take_records(opened, sources, again=True, check=check, options=options)
