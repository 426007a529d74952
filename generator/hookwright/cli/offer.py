"""Show a catalogue's records, and ask which to import."""

import difflib
import sys

from hookwright.answers.yaml_writer import write_yaml
from hookwright.catalogues.catalogue import Key, Record, Records, describe
from hookwright.cli.terminal import print_note, show_diff
from hookwright.patterns.route_warnings import list_doubts
from hookwright.simulate.route_tests import list_failed_tests
from hookwright_console.terminal import check_terminal, count, print_line, wrap
from hookwright_console.text import escape_hidden, make_printable, shorten

LETTERS = "[y/N/a/s]"
ANSWERS = {"": "n", "n": "n", "no": "n", "y": "y", "yes": "y", "a": "a", "s": "s"}


def offer(records: Records, here: Records, *, yes: bool, shows: bool = True) -> list[Key]:
    """Show each record, ask whether to import it, and return the keys of the accepted ones."""
    chosen = []
    for key, record in records.items():
        if shows and key in here:
            show_change(key, here[key], record)
        elif shows:
            show_record(key, record)
        for line in list_doubts({key[1]: record}) if key[0] == "routes" else ():
            print_note(line)
        if not yes:
            check_terminal(yes=False)
            answer = ask(f"Import the {describe(key)}? (a imports all the rest, s stops)")
            if answer == "s":
                break
            yes = answer == "a"
            if not yes and answer != "y":
                continue
        chosen.append(key)
    kept = {**here, **{key: records[key] for key in chosen}}
    routes = {name: record for (question, name), record in kept.items() if question == "routes"}
    for line in list_failed_tests(routes, [name for _, name in chosen]):
        print_note(line)
    return chosen


def ask(question: str) -> str:
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
    print_line(f"{describe(key)}" + (f", with {count(len(tests), 'test')}" if tests else ""))
    text = write_yaml({name: field for name, field in record.items() if name != "tests"})
    print("".join(f"    {line}\n" for line in escape_hidden(text).splitlines()))


def show_change(key: Key, before: Record, after: Record) -> None:
    old, new = (write_yaml(side).splitlines() for side in (before, after))
    name = make_printable(describe(key))
    lines = difflib.unified_diff(old, new, f"here: {name}", f"there: {name}", lineterm="")
    show_diff("\n".join(lines))
