"""Deny calls in the format of Codex CLI, Copilot CLI and our opencode plugin.

These clients accept Claude Code's JSON with exit code 0: with exit code 2, Codex reads only stderr,
and Copilot does not show the reason to the agent. Codex ignores an answer that contains an unknown
key.
"""

CALL = "PreToolUse"

# --- rendered from here on ---


def print_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Print the reason for a denial, and any note, for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "".
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
    return 0
