"""Count the calls that a route blocks in a session, and record which routes block.

Each block is added to the end of a file in one step, so that hooks that run at the same time lose
none.
"""

from event import explain
from memory import find_folder, name_memory

RECORD_SIZE = 500_000

# --- rendered from here on ---


def append_line(path: str, line: bytes) -> int:
    """Add a line to the end of a file, which is the user's alone; return how long that makes it.

    Raises OSError where it cannot be written. A link or a pipe that somebody planted is neither
    followed nor waited for.
    """
    import os

    os.umask(0o077)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | flags, 0o600)
    if os.write(file, line) < len(line):
        raise OSError(f"{path} is full")
    return os.lseek(file, 0, os.SEEK_CUR)


def count_block(folder: str, route: str, session: object) -> int:
    """Return how many calls a route has blocked in a session, this one included."""
    name = name_memory("tool_routing", {"session_id": session}, {"route": route})
    return append_line(f"{folder}/{name}", b".")


def record_block(route: str, tool: str) -> None:
    """Add when a route blocked which tool to the record; begin it anew where it is long enough."""
    import os
    import time

    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    plain = "".join(filter(str.isprintable, tool))[:100]
    try:
        path = f"{find_folder()}/tool_routing-blocks.tsv"
        if append_line(path, f"{when}\t{route}\t{plain}\n".encode()) > RECORD_SIZE:
            os.replace(path, f"{path}.old")
    except OSError as error:
        explain(f"not recorded because of {error!r}")
