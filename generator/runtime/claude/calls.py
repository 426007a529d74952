"""Read Claude Code's events about tool calls, and answer them in its format.

A PreToolUse hook lets the call through with exit code 0: stdout is empty, or JSON with something to
tell the agent. It denies the call with exit code 2: stdout has the decision as JSON, and stderr has
the same guidance for clients that read only that.

This module and its neighbours contain what a hook knows about its client. Other clients' modules
define the same names, so that a hook for them is rendered from those and the same deciding code.
"""

import sys
from typing import TYPE_CHECKING

from .copilot import COPILOT

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---

# The client's names of its events and tools.
CALL, START = "PreToolUse", "SessionStart"
SEARCH, FETCH, SHELL = "WebSearch", "WebFetch", "Bash"
# How the agent loads tools; goes between quotes.
LOADING = 'Not loaded yet? ToolSearch "select:%s" loads it.'


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields that decisions read, in Claude Code's form.

    They are hook_event_name, session_id, agent_id, tool_name and tool_input. Raises any exception
    for bytes that are not an event.
    """
    import json

    return json.loads(raw.decode())


def tell_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Tell the agent why its call is denied, and anything else; return the exit code.

    The decision is the reason to deny the call, or "", and the agent's additional context, or "".
    `raw` is the event.
    """
    import json

    reason, context = decision
    output = {"hookEventName": CALL}
    if reason:
        output.update(permissionDecision="deny", permissionDecisionReason=reason)
    if context:
        output["additionalContext"] = context
    if reason or context:
        print(json.dumps({"hookSpecificOutput": output}), flush=True)
    if COPILOT and b'"permission_mode"' not in raw:  # Claude Code sends one, even within Copilot
        return 0
    if reason and sys.__stderr__:  # print writes to stdout if it is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0
