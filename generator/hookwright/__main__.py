"""Run the command line."""

import os
import sys

# `python -m` looks for modules in the current folder first, which may be untrusted.
try:
    here = os.getcwd()  # noqa: PTH109 - pathlib might be found there
except OSError:  # the current folder was deleted
    here = ""
if sys.path[0] in {"", here}:
    del sys.path[0]

from hookwright.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
