"""Run the command line, without modules from the current folder."""

import os
import sys

# `python -m` first looks for modules in the current folder, which may be untrusted.
try:
    here = os.getcwd()  # noqa: PTH109 - pathlib might be found there
except OSError:  # the folder no longer exists
    here = ""
if sys.path[0] in {"", here}:
    del sys.path[0]


def main() -> int:
    """Run the command line."""
    try:
        from lesson_search.cli.main import run

        return run()
    except KeyboardInterrupt:  # interrupted before the command line can handle it
        from hookwright_console.runner import INTERRUPTED, print_error

        print_error("lesson-search", "stopped")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
