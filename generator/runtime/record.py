"""Log when a route or database blocks a tool, but nothing else about the call."""

from typing import TYPE_CHECKING

from .dialects.claude import find_memory_folder
from .event import explain

if TYPE_CHECKING:
    from typing import Any

    Decision = tuple[str, str]

RECORD = "hook-blocks.tsv"
RECORD_SIZE = 500_000


# --- rendered as blocks ---


def record_block(by: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Log a block by a route or database; return the decision.

    A log that has become too long is renamed, so that the next block starts a new one.
    """
    import os
    import time

    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    tool = "".join(filter(str.isprintable, event["tool_name"]))[:100]
    try:
        path = f"{find_memory_folder()}/{RECORD}"
        if append_line(path, f"{when}\t{by['name']}\t{tool}\n".encode()) > RECORD_SIZE:
            os.replace(path, f"{path}.old")
    except OSError as error:
        explain(f"not recorded because of {error!r}")
    return decision


# --- rendered as lines ---


def append_line(path: str, line: bytes) -> int:
    """Append a line to a private file; return the new size of the file.

    Raises OSError if the file cannot be written. Does not follow a planted symlink or wait for a
    pipe.
    """
    import os

    os.umask(0o077)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | flags, 0o600)
    if os.write(file, line) < len(line):
        raise OSError(f"{path} is full")
    return os.lseek(file, 0, os.SEEK_CUR)
