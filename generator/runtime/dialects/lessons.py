"""Answer prompt events in Claude Code's format, for all clients except Copilot CLI.

These clients accept Claude Code's JSON, which the lesson server already sends.
"""

import sys

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the server's answer unchanged; return the exit code."""
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
