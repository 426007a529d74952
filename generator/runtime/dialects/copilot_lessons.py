"""Answer events about prompts as Copilot CLI reads them: it has a field of its own for lessons."""

import sys

from ..prompts import OPENING

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the lessons of the server's answer; return the exit code."""
    sys.stdout.buffer.write(b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}')
    sys.stdout.flush()
    return 0
