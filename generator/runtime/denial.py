"""Tell the agent that its call is denied, or what there is to say of a call that goes through.

The contract is Claude Code's: a PreToolUse hook lets the call through with exit code 0, with an
empty stdout or, as JSON, something to tell the agent besides; it denies the call with exit code 2,
the decision as JSON on stdout and, for clients that read only that, the same guidance on stderr.
Copilot CLI loads the same settings and plugins, and takes the JSON with exit code 0 alone.
"""

import sys

from event import COPILOT

# --- rendered from here on ---


def tell_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Tell the agent why its call is denied, if it is, and what else there is to say of it.

    The decision is the reason to deny the call, or "" to let it through, and the context to tell
    the agent besides, or "". `raw` is the event. Return the exit code.
    """
    import json

    reason, context = decision
    output = {"hookEventName": "PreToolUse"}
    if reason:
        output.update(permissionDecision="deny", permissionDecisionReason=reason)
    if context:
        output["additionalContext"] = context
    if reason or context:
        print(json.dumps({"hookSpecificOutput": output}), flush=True)
    if COPILOT and b'"permission_mode"' not in raw:  # Claude Code, which may run in it, has one
        return 0
    if reason and sys.__stderr__:  # print takes stdout for one that is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0
