"""Answer Claude Code's events about prompts.

What a UserPromptSubmit hook prints with exit code 0 is added to the prompt; exit code 2 would erase
the prompt.
"""

import sys

from ..prompts import OPENING
from .copilot import COPILOT

# --- rendered from here on ---


def print_answer(answer: bytes, raw: bytes) -> int:
    """Print the server's answer as it came, or as Copilot CLI takes it; return the exit code."""
    if COPILOT and b'"permission_mode"' not in raw:  # Claude Code sends one, also within Copilot
        answer = b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}'
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
