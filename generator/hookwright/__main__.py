"""Run the command line."""

import sys

from hookwright.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
