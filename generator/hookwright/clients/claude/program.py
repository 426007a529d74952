"""Find Claude Code's program, and which version it is."""

import re
import shutil

from hookwright.programs import run_program

NAME, COMMAND = "Claude Code", "claude"
DENIES = (2, 1, 90)  # the first that takes a decision in JSON beside exit code 2
ASKS_ITSELF = (2, 1, 63)  # the first that has hooks that it asks by HTTP
TIME_LIMIT = 20  # seconds


def find_program() -> str | None:
    """Return the path of the program, or None where PATH has none."""
    return shutil.which(COMMAND)


def read_version(path: str) -> tuple[int, ...]:
    """Return the version that a program prints, or () where it prints none."""
    ended = run_program([path, "--version"], TIME_LIMIT)
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", ended.stdout if ended else "")
    return tuple(map(int, found.groups())) if found else ()
