"""Answer Copilot CLI's prompt events; it has a separate field for lessons."""

import sys

from ..prompts import OPENING

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the lessons in the server's answer; return the exit code."""
    sys.stdout.buffer.write(b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}')
    sys.stdout.flush()
    return 0
