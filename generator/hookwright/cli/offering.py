"""Show records of a catalogue, and ask which to take."""

import difflib
import sys
from collections.abc import Iterable

from hookwright.catalogues import Key, Record, Records, describe
from hookwright.cli.terminal import check_terminal, show_diff
from hookwright.wording import write_yaml
from lesson_search.cli.terminal import count, show, tell
from lesson_search.limits import make_printable

CHOICES = "[y]es, [N]o, [a]ll that follow, [s]top"


def offer(records: Records, *, yes: bool) -> list[Key]:
    """Show each record, ask whether to take it, and return the keys of those to take.

    Raises:
        RefusedByUserError: There is no terminal to ask at.

    """
    return ask_each(records, "Take the {}?", yes=yes, records=records)


def offer_removal(keys: Iterable[Key], source: str, *, yes: bool) -> list[Key]:
    """Ask of each record whether it is to go, for its catalogue has it no longer."""
    return ask_each(keys, f"Remove the {{}}, which is no longer in {source}?", yes=yes)


def ask_each(
    keys: Iterable[Key], question: str, *, yes: bool, records: Records | None = None
) -> list[Key]:
    """Ask a question of each key, and return those that it was answered with yes for."""
    chosen = []
    for key in keys:
        if records is not None:
            show_record(key, records[key])
        if not yes:
            check_terminal(yes=False)
            said = ask(question.replace("{}", describe(key)))
            if said == "s":
                break
            yes = said == "a"
            if not yes and said != "y":
                continue
        chosen.append(key)
    return chosen


def ask(question: str) -> str:
    """Ask a question, and return the letter of the answer; at the end of the input, s."""
    print(f"{make_printable(question)} {CHOICES} ", end="", file=sys.stderr, flush=True)
    said = sys.stdin.readline()
    return said.strip().casefold()[:1] if said else "s"


def show_record(key: Key, record: Record) -> None:
    """Print a record, all that the agent may be told by it; of its tests only how many they are."""
    tests = record.get("tests") or ()
    tell(f"{describe(key)}" + (f", with {count(len(tests), 'test')}" if tests else ""))
    text = write_yaml({name: field for name, field in record.items() if name != "tests"})
    print("".join(f"    {line}\n" for line in show(text).splitlines()))


def show_change(key: Key, before: Record | None, after: Record | None) -> None:
    """Print how a record differs from what it is to be."""
    old, new = (write_yaml(one).splitlines() if one is not None else [] for one in (before, after))
    name = make_printable(describe(key))
    lines = difflib.unified_diff(old, new, f"here: {name}", f"there: {name}", lineterm="")
    show_diff("\n".join(lines))
