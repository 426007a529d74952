"""Answer events about prompts as Claude Code does, for all other clients but Copilot CLI.

They take Claude Code's JSON, which is what the lesson server answers.
"""

import sys

# --- rendered from here on ---


def print_answer(answer: bytes, _: bytes) -> int:
    """Print the server's answer as it came; return the exit code."""
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
