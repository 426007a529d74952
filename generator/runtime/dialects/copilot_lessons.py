"""Answer prompt events in Copilot CLI's format, which has a separate field for lessons."""

import sys

from ..prompts import OPENING

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the lessons in the server's answer; return the exit code."""
    sys.stdout.buffer.write(b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}')
    sys.stdout.flush()
    return 0
