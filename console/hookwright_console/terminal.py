"""Print for people and scripts; control characters in records never reach the terminal.

Rich is imported where a table, a colour or a bar is shown: JSON and piped text do without it.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from hookwright_console.errors import DeclinedError, NoTerminalError
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.prompts import ask_yes, fit
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

BAR = 24  # characters
WIDTH = 160  # characters of a line without a terminal
EXCERPT = 240  # characters of a text that a table shows


def print_message(line: str) -> None:
    """Print a message to standard error."""
    print(fit(f"lesson-search: {make_printable(line)}", sys.stderr), file=sys.stderr)


def print_line(line: str) -> None:
    """Print a line of output."""
    print(fit(make_printable(line), sys.stdout))


def print_text(text: str) -> None:
    """Print a text of several lines, with an empty line before and after it."""
    lines = [fit(line, sys.stdout, "") for line in escape_hidden(text).split("\n")]
    print("\n".join(["", *lines, ""]))


def excerpt(text: str, most: int = EXCERPT) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(text[: 4 * most].split())
    return escape_hidden(line if len(line) <= most else line[: most - 1] + "…")


def dump(value: object, indent: int | None = None) -> str:
    """Return a value as JSON, with escapes for control and invisible characters."""
    return escape_hidden(json.dumps(value, ensure_ascii=False, indent=indent))


def open_console() -> "Console":
    """Return a console that prints tables, and texts without markup."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    colours: Literal["auto"] | None = "auto" if has_styles() else None  # None: not even bold
    return Console(markup=False, highlight=False, emoji=False, width=wide, color_system=colours)


def has_styles() -> bool:
    """Tell whether the output has styles: at a terminal, or as NO_COLOR or FORCE_COLOR say."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    return sys.stdout.isatty() if forced is None else forced != ""


def print_styled(*parts: tuple[str, str]) -> None:
    """Print a line of texts, each with its style, such as green; hidden characters are escaped."""
    if not has_styles():
        print("".join(escape_hidden(text) for text, _ in parts), flush=True)
        return
    from rich.text import Text

    line = Text.assemble(*((escape_hidden(text), style) for text, style in parts))
    open_console().print(line, soft_wrap=True)


def build_table(*columns: str) -> "Table":
    """Return an empty table."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def draw_bar(share: float) -> str:
    """Return a bar for a share from 0 to 1; any share above 0 is visible."""
    return "█" * max(round(share * BAR), int(share > 0))


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback for the progress, as done and total; a terminal shows a bar."""
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
    """Show a progress bar until it is stopped."""
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


def confirm(question: str, *, default: bool = False) -> None:
    """Ask the user to confirm.

    Args:
        question: The question.
        default: What Enter answers.

    Raises:
        NoTerminalError: There is no terminal to ask at.
        DeclinedError: The user said no.

    """
    if not sys.stdin.isatty():
        raise NoTerminalError("--yes")
    if not ask_yes(question, default=default):
        raise DeclinedError("nothing changed")


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as 1 lesson or 2,000 lessons."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
