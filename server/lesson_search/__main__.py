"""Run the command line, or say what is missing for it."""

import sys


def main() -> int:
    """Run the command line, which needs what the extra `server` installs."""
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
