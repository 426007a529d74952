"""Answer the event that a coding agent sends to a hook.

The contract is Claude Code's: an event is one JSON object on stdin. A PreToolUse hook lets the call
through with exit code 0, with an empty stdout or, as JSON, something to tell the agent besides; it
denies the call with exit code 2, the decision as JSON on stdout and, for clients that read only
that, the same guidance on stderr.

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

    DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))
except ImportError:  # Windows
    import os

    end_process = os._exit
    DEBUG = "1" in (os.environ.get("HOOKWRIGHT_DEBUG"), os.environ.get("TOOL_ROUTING_DEBUG"))


def answer_event(decide: "Callable[[bytes], tuple[str, str] | None]") -> None:
    """Answer the event on stdin with what `decide` makes of its bytes, and end the process.

    `decide` returns the reason to deny the call, or "" to let it through, and the context to tell
    the agent besides, or ""; or None. Whatever goes wrong, be it a closed stdout or Ctrl-C, lets
    the call through: a hook that breaks must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # for what Python might say, of a pattern for instance
    try:
        decision = decide(sys.stdin.buffer.read())
        if decision and any(decision):
            tell_agent(*decision)
            status = 2 if decision[0] else 0
    except BaseException as error:  # noqa: BLE001 - fail open
        explain(f"let through because of {error!r}")
    finally:
        end_process(status)  # an orderly end would take a fifth of the interpreter's start


def tell_agent(reason: str, context: str) -> None:
    """Tell the agent why its call is denied, if it is, and what else there is to say of it."""
    import json

    output = {"hookEventName": "PreToolUse"}
    if reason:
        output.update(permissionDecision="deny", permissionDecisionReason=reason)
    if context:
        output["additionalContext"] = context
    print(json.dumps({"hookSpecificOutput": output}), flush=True)
    if reason and sys.__stderr__:  # print takes stdout for one that is closed
        print(*filter(None, (reason, context)), sep="\n", file=sys.__stderr__, flush=True)


def explain(line: str) -> None:
    """Say on stderr how a decision came about, when HOOKWRIGHT_DEBUG=1 asks for it."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)
