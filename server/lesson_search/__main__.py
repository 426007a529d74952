"""Run the command line, or name the missing package."""

import sys

from hookwright_console.text import make_printable
from lesson_search.installation import explain_missing, find_missing


def main() -> int:
    """Run the command line, which needs the packages of the extra `server`."""
    missing = find_missing()
    if not missing:
        from lesson_search.cli.main import run

        return run()
    print(f"lesson-search: {make_printable(explain_missing(missing))}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
