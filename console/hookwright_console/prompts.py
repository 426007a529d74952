"""Ask at a terminal: wrap a text on its words, and ask yes or no."""

import shutil
import sys
import textwrap
from typing import TextIO

from hookwright_console.errors import NoTerminalError
from hookwright_console.text import make_printable, shorten

NARROWEST = 20  # characters of a line
YES = {"y": True, "yes": True, "n": False, "no": False}


def wrap(text: str, indent: str = "", hanging: str | None = None, room: int = 0) -> str:
    """Return a text in lines that fit the terminal; only a word longer than a line is broken.

    Args:
        text: The text; its unprintable characters are escaped.
        indent: What each line begins with.
        hanging: What each line but the first begins with, if that is something else.
        room: How many characters to leave free in each line.

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
    """Return a printable line, wrapped on its words where it goes to a terminal."""
    if not stream.isatty() or len(line) < shutil.get_terminal_size().columns:
        return line
    text = line.lstrip(" ")
    indent = line[: len(line) - len(text)]
    return wrap(text, indent, f"{indent}  " if hanging is None else hanging)


def write_yes(question: str, *, default: bool) -> str:
    return f"{wrap(question, room=6)} {'[Y/n]' if default else '[y/N]'} "


def read_yes(line: str, *, default: bool) -> bool | None:
    """Return the answer to a yes-or-no question; the default for a blank line, None for another."""
    word = line.strip().casefold()
    return YES.get(word) if word else default


def refuse_yes(line: str) -> str:
    return f"expected y or n, got {shorten(line)}"


def ask_yes(question: str, *, default: bool) -> bool:
    """Ask yes or no on standard error until the answer is one of them; the end of input is no."""
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
    """Raise NoTerminalError unless the user said yes beforehand, or can be asked."""
    if not yes and not sys.stdin.isatty():
        raise NoTerminalError("--yes")
