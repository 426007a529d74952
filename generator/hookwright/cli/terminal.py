"""Print for people; control characters in a record cannot reach the terminal."""

import sys

from hookwright_console.errors import NoTerminalError
from hookwright_console.terminal import confirm, print_message, print_styled

STYLES = {"+": "green", "-": "red", "@": "cyan"}  # of a line of a patch


def say(line: str) -> None:
    """Print a message to stderr, where it does not mix with the output."""
    print_message("hookwright", line)


def show_diff(diff: str) -> None:
    for line in diff.split("\n"):
        print_styled((line, STYLES.get(line[:1], "")))


def agree(question: str, *, yes: bool, default: bool = False) -> None:
    """Ask whether to go on, unless the user said yes beforehand; raises DeclinedError."""
    if not yes:
        confirm(question, default=default)


def check_terminal(*, yes: bool) -> None:
    if not yes and not sys.stdin.isatty():
        raise NoTerminalError("--yes")
