"""Answer the event that a coding agent sends to a hook.

With exit code 0 and empty stdout, the agent continues as if there were no hook. The client's own
modules, such as dialects/claude.py, read events and format answers.

Every rendered hook contains the text after the marker. Python compiles it on each run, so it is
short, and imports rarely needed modules only where they are needed.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# --- rendered from here on ---

try:  # os builds on posix, but takes a tenth of Python's startup time to import
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # on Windows
    import os

    end_process = os._exit
    environ = dict(zip(map(os.fsencode, os.environ), map(os.fsencode, os.environ.values())))

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))


def answer_event(
    decide: "Callable[..., Any]", respond: "Callable[[Any, bytes], int]", *more: "Any"
) -> None:
    """Answer the event on stdin with the result of `decide` for its bytes, and exit.

    `decide` also receives `more`. `respond` prints and flushes a decision, unless it is None, and
    returns the exit code. On any error, even a closed stdout or Ctrl-C, the call or prompt is
    allowed, because a broken hook must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # Python may print a warning, for example about a pattern
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw, *more)
        if decision is not None:
            status = respond(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain("let through because of " + repr(error))
    finally:
        end_process(status)  # a regular exit would add a fifth of Python's startup time


def explain(line: str) -> None:
    """Explain a decision on stderr if HOOKWRIGHT_DEBUG is 1."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)
