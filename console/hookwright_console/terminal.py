"""Print output for people and scripts, and ask questions at the terminal.

Control characters in records never reach the terminal. Rich is imported only for tables, colours
and progress bars, not for JSON and piped text. Tables fit the terminal: words are not broken, and
tables that are too wide become lists.
"""

import json
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Literal, TextIO, TypeVar

from hookwright_console.errors import DeclinedError, NoTerminalError
from hookwright_console.text import escape_hidden, make_printable, shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

NARROWEST = 20  # minimum line width in characters
COMMAND = re.compile(
    r"(?:(?<=: )|(?<=run ))(?:hookwright|lesson-search) [^,;]+\Z"
)  # after a colon or "run"
YES = {"y": True, "yes": True, "n": False, "no": False}
BAR = 24  # width in characters
WIDTH = 160  # line width if there is no terminal
EXCERPT = 240  # characters of a text shown in a table
PAUSE = 0.1  # seconds between two calls of a listener
LISTENERS: list[Callable[[str, int, int], None]] = []  # progress callbacks of `show_progress`
VIEWS: "list[Progress]" = []  # the progress bars being shown, if any
GAP = 2  # spaces between columns
MIN_WIDTH = 16  # default minimum width of a wrapped column
INDENT = "  "
Item = TypeVar("Item")
WIDE = 1_000  # line width if there is no terminal


def wrap(text: str, indent: str = "", hanging: str | None = None, room: int = 0) -> str:
    """Return a text wrapped to the terminal's width; only words longer than a line are broken.

    Args:
        text: Any text; unprintable characters are escaped.
        indent: The start of each line.
        hanging: The start of every line after the first, if different.
        room: Characters to leave free on each line.

    """
    lines = textwrap.wrap(
        make_printable(text),
        max(shutil.get_terminal_size().columns - 1 - room, NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) or indent.rstrip()


def fit(line: str, stream: TextIO, hanging: str | None = None) -> str:
    """Return a printable line, wrapped between words if it is printed to a terminal.

    A command at its end begins a new line and stays whole, so that it can be pasted.
    """
    if not stream.isatty() or len(line) < shutil.get_terminal_size().columns:
        return line
    text = line.lstrip(" ")
    indent = line[: len(line) - len(text)]
    hanging = f"{indent}  " if hanging is None else hanging
    command = COMMAND.search(text)
    if not command:
        return wrap(text, indent, hanging)
    return f"{wrap(text[: command.start()], indent, hanging)}\n{hanging}{command[0]}"


def write_yes(question: str, *, default: bool) -> str:
    return f"{wrap(question, room=6)} {'[Y/n]' if default else '[y/N]'} "


def read_yes(line: str, *, default: bool) -> bool | None:
    """Parse a yes-or-no answer: the default for a blank line, None if unrecognised."""
    word = line.strip().casefold()
    return YES.get(word) if word else default


def refuse_yes(line: str) -> str:
    return f"expected y or n, got {shorten(line)}"


def ask_yes(question: str, *, default: bool) -> bool:
    """Ask on standard error until the user answers yes or no; end of input means no."""
    while True:
        print(write_yes(question, default=default), end="", file=sys.stderr, flush=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise
        if not line:
            return False
        answer = read_yes(line, default=default)
        if answer is not None:
            return answer
        print(wrap(refuse_yes(line.strip())), file=sys.stderr)


def check_terminal(*, yes: bool) -> None:
    """Raise NoTerminalError unless the user agreed beforehand or a terminal is available."""
    if not yes and not sys.stdin.isatty():
        raise NoTerminalError("--yes")


def print_message(program: str, *lines: str) -> None:
    """Print messages to standard error, separate from the command's output."""
    with suppress(OSError, ValueError):  # keep the order where both go to one pipe
        sys.stdout.flush()
    for line in lines:
        print(fit(f"{program}: {make_printable(line)}", sys.stderr), file=sys.stderr)


def print_line(*lines: str) -> None:
    for line in lines:
        print(fit(make_printable(line), sys.stdout))


def print_text(text: str) -> None:
    lines = [fit(line, sys.stdout, "") for line in escape_hidden(text).split("\n")]
    print("\n".join(["", *lines, ""]))


def excerpt(text: str, most: int = EXCERPT) -> str:
    line = " ".join(text[: 4 * most].split())
    return escape_hidden(line if len(line) <= most else line[: most - 1] + "…")


def dump(value: object, indent: int | None = None) -> str:
    """Return a value as JSON, with control and invisible characters escaped."""
    return escape_hidden(json.dumps(value, ensure_ascii=False, indent=indent))


def open_console() -> "Console":
    """Return a console that prints tables, and that prints texts without interpreting markup."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    colours: Literal["auto"] | None = "auto" if has_styles() else None  # None also disables bold
    return Console(markup=False, highlight=False, emoji=False, width=wide, color_system=colours)


def has_styles() -> bool:
    """Return whether to style output: by NO_COLOR or FORCE_COLOR, or else only at a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    return sys.stdout.isatty() if forced is None else forced != ""


def print_styled(*parts: tuple[str, str]) -> None:
    """Print texts on one line, each with a style such as green; hidden characters are escaped."""
    if not has_styles():
        print("".join(escape_hidden(text) for text, _ in parts), flush=True)
        return
    from rich.text import Text

    line = Text.assemble(*((escape_hidden(text), style) for text, style in parts))
    open_console().print(line, soft_wrap=True)


def draw_bar(share: float) -> str:
    """Return a bar for a share from 0 to 1; any share above 0 is visible."""
    return "█" * max(round(share * BAR), int(share > 0))


@contextmanager
def show_progress(what: str, *, always: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback for the numbers of done and total items; at a terminal, show a bar.

    Listeners are called at most ten times a second with the activity, the number of done items and
    the total (0 if unknown). With `always`, the bar also moves while the total is unknown.
    """
    bar: Callable[..., None] | None = None
    reported = 0.0  # time of the last report

    def update(done: int, total: int) -> None:
        nonlocal bar, reported
        is_over = done >= total
        if is_over or time.monotonic() - reported >= PAUSE:
            for listener in LISTENERS:
                listener(what, done, total)
            reported = time.monotonic()
        if is_over:
            shown.close()
            bar = None
        if (always or not is_over) and sys.stderr.isatty():
            bar = bar or shown.enter_context(show_bar(what))
            count = "" if is_over else f"{done}/{total}"
            bar(completed=done, total=None if is_over else total, count=count)

    with ExitStack() as shown:
        update(0, 0)
        yield update


def track(
    what: str, items: Iterable[Item], total: int | None = None, *, always: bool = False
) -> Iterator[Item]:
    """Yield items and show the progress; `total` is their number, unless they have a length."""
    total = len(items) if isinstance(items, Sized) else total or 0
    with show_progress(what, always=always) as progress:
        for number, item in enumerate(items):
            progress(number, total)
            yield item
        progress(total, total)


@contextmanager
def listening(listener: Callable[[str, int, int], None]) -> Iterator[None]:
    LISTENERS.append(listener)
    try:
        yield
    finally:
        LISTENERS.remove(listener)


@contextmanager
def show_steps(total: int) -> Iterator[Callable[[int, str], None]]:
    """Yield a callback that reports progress through several items by number and name.

    At a terminal, the current item is shown above the bar of `show_progress`, if any.
    """
    if not sys.stderr.isatty():
        yield lambda _number, _name: None
        return
    with show_bar("") as update:
        yield lambda number, name: update(
            completed=number - 1,
            total=total,
            count=f"{number - 1}/{total}",
            description=f"{number} of {total}: {name}",
        )


@contextmanager
def show_bar(what: str) -> Iterator[Callable[..., None]]:
    """Show a bar at the terminal, together with any others, and yield a function to update it."""
    with open_view() as view:
        task = view.add_task(what, total=None, count="")
        try:
            yield partial(view.update, task)
        finally:
            view.remove_task(task)


@contextmanager
def open_view() -> Iterator["Progress"]:
    """Yield the view that already shows progress bars, or a new one."""
    if VIEWS:
        yield VIEWS[-1]
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    title = TextColumn("{task.description}", markup=False)
    count = TextColumn("{task.fields[count]}", style="progress.download")
    columns = (title, BarColumn(), count, TimeRemainingColumn())
    console = Console(file=sys.stderr)  # even while Copier's output is redirected
    # Text printed to a redirected standard output must not appear above the bars.
    redirect = sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, redirect_stdout=redirect) as view:
        VIEWS.append(view)
        try:
            yield view
        finally:
            VIEWS.remove(view)


def agree(question: str, *, yes: bool, default: bool = False) -> None:
    """Ask whether to continue, unless the user agreed beforehand with `yes`.

    Raises NoTerminalError without a terminal, and DeclinedError if the user says no.
    """
    check_terminal(yes=yes)
    if not yes and not ask_yes(question, default=default):
        raise DeclinedError("nothing changed")


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 lesson" or "2,000 lessons"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    wrapped: Collection[str] = (),
    narrowest: Mapping[str, int] | None = None,
) -> None:
    """Print rows as a table, or as lists if the table is wider than the terminal.

    Args:
        columns: The column headings.
        rows: The escaped cell texts of each row.
        wrapped: Columns that may be wrapped between words.
        narrowest: The minimum width of wrapped columns, whose longer words may be shortened.

    """
    from rich.cells import cell_len

    console = open_console()
    texts = {name: cells for name, *cells in zip(columns, *rows, strict=True)}
    widths = {name: max(map(cell_len, (name, *texts[name]))) for name in columns}
    missing: dict[str, int] = {}  # how much narrower each wrapped column is at first
    for name in wrapped:
        longest = max(map(cell_len, " ".join(texts[name]).split()), default=0)
        least = (narrowest or {}).get(name, max(MIN_WIDTH, longest))
        missing[name] = max(widths[name] - least, 0)
        widths[name] -= missing[name]
    spare = console.width - sum(widths.values()) - GAP * (len(columns) - 1)
    if spare < 0:
        print_lists(console, columns, rows)
        return
    # Rich itself can allot more than the line's width, which cuts off text.
    for done, name in enumerate(sorted(missing, key=missing.__getitem__)):
        share = min(missing[name], spare // (len(missing) - done))
        widths[name] += share
        spare -= share
    table = build_table()
    for name, width in widths.items():
        table.add_column(name, overflow="ellipsis", width=width, no_wrap=name not in wrapped)
    for row in rows:
        table.add_row(*row)
    show(console, table)


def align(rows: Sequence[Sequence[str]], less: int = 0) -> list[str]:
    """Return rows as lines that fit the terminal, truncating long ones.

    `less` is the number of characters to leave free. Nothing is truncated if there is no terminal.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(shutil.get_terminal_size((WIDE, 0)).columns - 1 - less, MIN_WIDTH)
    lines = (
        (" " * GAP).join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return [
        line if len(line) <= room else line[: room - 1] + "…" for line in map(str.rstrip, lines)
    ]


def build_table(*columns: str) -> "Table":
    """Return an empty table whose columns may break lines anywhere."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def print_lists(console: "Console", columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    for number, (title, *texts) in enumerate(rows):
        if number:
            print()
        console.print(title, style="bold", soft_wrap=True)  # unwrapped, so that users can copy it
        grid = Table.grid(padding=(0, GAP, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, text in zip(columns[1:], texts, strict=True):
            if text:
                grid.add_row(f"{INDENT}{name}", text)
        show(console, grid)


def show(console: "Console", table: "Table") -> None:
    """Print a table, without trailing spaces if the output is not a terminal."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
