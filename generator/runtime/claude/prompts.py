"""Answer Claude Code's prompt events.

The output of a UserPromptSubmit hook with exit code 0 is added to the prompt; exit code 2 would
discard the prompt.
"""

import sys

from ..prompts import OPENING
from .copilot import COPILOT

# --- rendered from here on ---


def print_answer(answer: bytes, raw: bytes) -> int:
    """Print the server's answer unchanged, or in Copilot CLI's form; return the exit code."""
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        answer = b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}'
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0
