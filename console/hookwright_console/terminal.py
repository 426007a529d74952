"""Print for people and for scripts: whatever a record holds, a terminal only shows it."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hookwright_console.errors import ReportedError
from hookwright_console.text import make_printable
from hookwright_console.unseen import escape_hidden

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

BAR = 24  # characters
WIDTH = 160  # characters of a line where there is no terminal
EXCERPT = 240  # characters of a text that a table shows


def say(line: str) -> None:
    """Print a line that is no output, such as why there is none."""
    print(f"lesson-search: {make_printable(line)}", file=sys.stderr)


def tell(line: str) -> None:
    """Print a line about what was done, for who asked for it."""
    print(make_printable(line))


def show(text: str) -> str:
    """Return a text with JSON's escapes for what would act on a terminal, or not be seen on it."""
    return escape_hidden(text)


def excerpt(text: str, most: int = EXCERPT) -> str:
    """Return the beginning of a text, in one line of at most so many characters."""
    line = " ".join(text[: 4 * most].split())
    return show(line if len(line) <= most else line[: most - 3] + "...")


def dump(value: object, indent: int | None = None) -> str:
    """Return a value as JSON, with escapes for what would act on a terminal."""
    return show(json.dumps(value, ensure_ascii=False, indent=indent))


def open_console() -> "Console":
    """Return what prints tables, and takes nothing in a text for more than text."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    return Console(markup=False, highlight=False, emoji=False, width=wide)


def build_table(*columns: str) -> "Table":
    """Return an empty table."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def draw_bar(share: float) -> str:
    """Return a bar for a share from 0 to 1, of which something is seen unless it is 0."""
    return "█" * max(round(share * BAR), int(share > 0))


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what is told how much of how much is done, and shows it where there is a terminal."""
    bars: list[Progress] = []

    def update(done: int, total: int) -> None:
        if not bars and done < total and sys.stderr.isatty():
            bars.append(start_bar(what))
        for bar in bars:
            bar.update(bar.task_ids[0], completed=done, total=total)
            if done >= total:
                bars.remove(bar)
                bar.stop()

    try:
        yield update
    finally:
        for bar in bars:
            bar.stop()


def start_bar(what: str) -> "Progress":
    """Return a bar that is shown from now on, until it is stopped."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what)
    bar.start()
    return bar


def confirm(question: str) -> None:
    """Ask whether to go on.

    Raises:
        ReportedError: No, or there is no terminal to ask at.

    """
    if not sys.stdin.isatty():
        raise ReportedError("there is no terminal to ask at: add --yes")
    print(f"{make_printable(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise ReportedError("nothing is changed")


def count(number: int, noun: str) -> str:
    """Return a number of things, such as 1 lesson or 2,000 lessons."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
