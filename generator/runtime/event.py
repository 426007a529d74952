"""Answer the event that a coding agent sends to a hook.

The contract is Claude Code's: an event is one JSON object on stdin, and what the hook makes of it
is JSON on stdout and the exit code. With exit code 0 and an empty stdout all goes on as it would
without the hook; exit code 2 stops it.

What follows the marker becomes part of every rendered hook. It is compiled anew at each start, so
it stays short, and whatever only some events need is imported where they need it.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# --- rendered from here on ---

try:  # what os is made of: to import all of os takes a tenth of the interpreter's start
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # Windows
    import os

    end_process = os._exit
    environ = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))
COPILOT = environ.get(b"COPILOT_CLI") == b"1"


def answer_event(decide: "Callable[[bytes], Any]", tell: "Callable[[Any, bytes], int]") -> None:
    """Answer the event on stdin with what `decide` makes of its bytes, and end the process.

    `tell` prints that, unless it is None, and returns the exit code. Whatever goes wrong, be it a
    closed stdout or Ctrl-C, lets all go on: a hook that breaks must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # for what Python might say, of a pattern for instance
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw)
        if decision is not None:
            status = tell(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain(f"let through because of {error!r}")
    finally:
        end_process(status)  # an orderly end would take a fifth of the interpreter's start


def explain(line: str) -> None:
    """Say on stderr how a decision came about, when HOOKWRIGHT_DEBUG=1 asks for it."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)
