"""Answer the event that a coding agent sends to a hook.

With exit code 0 and nothing on stdout, everything goes on as it would without the hook. How an
event is read and an answer is worded is up to the client's own modules, such as claude/calls.py.

What follows the marker becomes part of every rendered hook. Python compiles it at each start, so it
stays short, and imports what only some events need where they need it.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# --- rendered from here on ---

try:  # os is made of it; importing all of os takes a tenth of the interpreter's start
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # Windows
    import os

    end_process = os._exit
    environ = dict(zip(map(os.fsencode, os.environ), map(os.fsencode, os.environ.values())))

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))


def answer_event(
    decide: "Callable[..., Any]", tell: "Callable[[Any, bytes], int]", *more: "Any"
) -> None:
    """Answer the event on stdin with what `decide` makes of its bytes, and end the process.

    `decide` gets `more` as well. `tell` prints and flushes a decision that is not None, and returns
    the exit code. Whatever goes wrong, even a closed stdout or Ctrl-C, the call or prompt goes
    through: a broken hook must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # Python may warn, about a pattern for instance
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw, *more)
        if decision is not None:
            status = tell(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain("let through because of " + repr(error))
    finally:
        end_process(status)  # an orderly exit takes a fifth of the interpreter's start


def explain(line: str) -> None:
    """Say on stderr how a decision came about, if HOOKWRIGHT_DEBUG=1 asks for it."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)
