"""Keep what a service is to know but nobody else is to read: tokens."""

import re
from collections.abc import Mapping
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable

VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.ASCII)


def write_environment(path: Path, variables: Mapping[str, str]) -> None:
    """Write variables into a file that only the user can read; no file is left if there is none.

    Args:
        path: The file, which is made anew.
        variables: Values by name.

    Raises:
        RefusedError: A value would not be read as it is, or the file cannot be written.

    """
    for name, value in variables.items():
        if not value.isprintable():
            raise RefusedError(f"{name} has characters that cannot be printed: set it without them")
    try:
        path.unlink(missing_ok=True)
        if variables:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(
                "".join(f"{name}={value}\n" for name, value in variables.items()), "utf-8"
            )
    except OSError as error:
        raise RefusedError(f"{path}: cannot be written ({error.strerror}): mend that") from None


def read_environment(path: Path) -> dict[str, str]:
    """Return the variables in a file, by name: a line of NAME=VALUE each.

    Raises:
        RefusedError: It cannot be read, or has another line.

    """
    variables = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8"
        raise RefusedError(f"{make_printable(str(path))}: cannot be read ({reason})") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = VARIABLE.fullmatch(line)
        if not found:
            # Which may hold a token, so it is not shown.
            raise RefusedError(f"{make_printable(str(path))}:{number}: write NAME=VALUE")
        variables[found[1]] = found[2]
    return variables
