"""Read standard input."""

import sys

from hookwright_console.errors import RefusedError
from lesson_search.files.reader import MAX_SIZE, UTF_16

PIPE = "-"  # its name as an argument
SOURCE = "stdin"  # its name as the source of lessons


def read_pipe() -> str:
    """Return the text from standard input; invalid UTF-8 becomes lone surrogates.

    Raises:
        RefusedError: It is binary or too large.

    """
    raw = sys.stdin.buffer.read(MAX_SIZE + 1)
    if raw.startswith(UTF_16):
        raise RefusedError("is UTF-16: send UTF-8")
    if b"\0" in raw:
        raise RefusedError("is binary: send text")
    if len(raw) > MAX_SIZE:
        raise RefusedError(f"is larger than {MAX_SIZE // 1_000_000} MB: send it in several parts")
    return raw.decode("utf-8", "surrogateescape")
