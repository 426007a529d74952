"""Read Claude Code's events about tool calls, and answer them in its format.

A PreToolUse hook allows the call with exit code 0: stdout is empty, or contains JSON with a note
for the agent. It denies the call with exit code 2: stdout contains the decision as JSON, and stderr
the same guidance for clients that read only stderr.

This module and those next to it contain a hook's client-specific code. Other clients' modules
define the same names, so that their hooks can be rendered with the same decision code.
"""

import sys
from typing import TYPE_CHECKING

from .copilot import COPILOT

if TYPE_CHECKING:
    from typing import Any

# --- rendered from here on ---

# The client's names for its events and tools.
CALL, START = "PreToolUse", "SessionStart"
SEARCH, FETCH, SHELL = "WebSearch", "WebFetch", "Bash"
# How the agent loads the named tools.
LOADING = 'ToolSearch "select:%s" loads it.'


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions, in Claude Code's form.

    These are hook_event_name, session_id, agent_id, tool_name and tool_input. Raises any exception
    for invalid events.
    """
    import json

    return json.loads(raw.decode())


def print_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Print the reason for a denial, and any note, for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "". `raw` is the event.
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
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        return 0
    if reason and sys.__stderr__:  # print writes to stdout if it is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0
