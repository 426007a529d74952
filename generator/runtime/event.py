"""Answer the event that a coding agent sends to a hook.

The contract is Claude Code's: an event is one JSON object on stdin. A PreToolUse hook lets the call
through with exit code 0 and an empty stdout; it denies the call with exit code 2, the decision as
JSON on stdout and, for clients that read only that, the same guidance on stderr.

What follows the marker becomes part of every rendered hook. It is compiled anew at each start, so
it stays short, and whatever only some events need is imported where they need it.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# --- rendered from here on ---

try:  # what os is made of: to import all of os takes a tenth of the interpreter's start
    from posix import _exit as end_process
    from posix import environ

    DEBUG = environ.get(b"HOOKWRIGHT_DEBUG") == b"1"
except ImportError:  # Windows
    import os

    end_process = os._exit
    DEBUG = os.environ.get("HOOKWRIGHT_DEBUG") == "1"


def answer_event(decide: "Callable[[bytes], tuple[str, str] | None]") -> None:
    """Answer the event on stdin with what `decide` makes of its bytes, and end the process.

    `decide` returns the reason and the context of a denial, or None. Whatever goes wrong, be it a
    closed stdout or Ctrl-C, lets the call through: a hook that breaks must not break the agent.
    """
    status = 0
    try:
        denial = decide(sys.stdin.buffer.read())
        if denial:
            tell_denial(*denial)
            status = 2
    except BaseException as error:  # noqa: BLE001 - fail open
        explain(f"let through because of {error!r}")
    end_process(status)  # an orderly end would take a fifth of the interpreter's start


def tell_denial(reason: str, context: str) -> None:
    """Tell the agent in one line why its call is denied and, in `context`, what to do instead."""
    import json

    output = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
        "additionalContext": context,
    }
    print(json.dumps({"hookSpecificOutput": output}), flush=True)
    print(reason, context, sep="\n", file=sys.stderr, flush=True)


def explain(line: str) -> None:
    """Say on stderr how a decision came about, when HOOKWRIGHT_DEBUG=1 asks for it."""
    if DEBUG:
        print("hookwright:", line, file=sys.stderr, flush=True)
