"""The tokens of the service, in a file that only the user can read."""

import re
from collections.abc import Mapping
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import PRIVATE, write_whole
from hookwright_console.text import make_printable

VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.ASCII)


def write_environment(path: Path, variables: Mapping[str, str]) -> None:
    """Write variables to a private file; without variables, remove the file."""
    for name, value in variables.items():
        if not value.isprintable():
            raise RefusedError(f"{name} has unprintable characters: set it without them")
    if not variables:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [f"{name}={value}\n" for name, value in variables.items()], PRIVATE)


def read_environment(path: Path) -> dict[str, str]:
    """Return the variables in a file with one NAME=VALUE a line, or raise RefusedError."""
    place = make_printable(str(path))
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise RefusedError(f"cannot read {place}: {reason}") from None
    variables = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = VARIABLE.fullmatch(line)
        if not found:  # it may hold a token, so the message does not show it
            raise RefusedError(f"{place}:{number}: expected NAME=VALUE")
        variables[found[1]] = found[2]
    return variables
