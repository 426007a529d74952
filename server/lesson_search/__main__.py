"""Run the command line, or name the missing package."""

import sys


def main() -> int:
    """Run the command line, which needs the packages of the extra `server`."""
    try:
        from lesson_search.cli.main import run
    except ModuleNotFoundError as missing:
        print(
            f"lesson-search: {missing.name} is missing: run pip install 'hookwright[server]'",
            file=sys.stderr,
        )
        return 1
    return run()


if __name__ == "__main__":
    sys.exit(main())
