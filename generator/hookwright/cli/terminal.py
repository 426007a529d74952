"""Print human-readable output, and keep control characters in records off the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout

from hookwright_console.errors import StoppedError
from hookwright_console.extras import needing
from hookwright_console.terminal import dump, print_message, print_styled

STYLES = {"+": "green", "-": "red", "@": "cyan"}  # styles of patch lines


def print_note(*lines: str) -> None:
    """Print messages to stderr, separate from the output."""
    print_message("hookwright", *lines)


def show_diff(diff: str) -> None:
    for line in diff.split("\n"):
        print_styled((line, STYLES.get(line[:1], "")))


@contextmanager
def building(*, as_json: bool, keeps_stdout: bool = False) -> Iterator[Callable[[object], None]]:
    """Prepare the output for a database build, which needs the [docs] extra.

    Yields a function that prints JSON if requested. stdout is reserved for JSON, or with
    `keeps_stdout` for other output.
    """
    output = sys.stdout

    def report(row: object) -> None:
        if as_json:
            print(dump(row, indent=2), file=output)

    try:
        with needing("docs"), redirect_stdout(sys.stderr if as_json or keeps_stdout else output):
            yield report
    except KeyboardInterrupt:
        raise StoppedError("stopped: run the same command again to continue") from None
