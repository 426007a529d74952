"""Answer prompt events like Claude Code, for all clients except Copilot CLI.

They accept Claude Code's JSON, which is the lesson server's answer.
"""

import sys

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the server's answer unchanged; return the exit code."""
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
