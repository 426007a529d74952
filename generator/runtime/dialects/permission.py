"""Deny calls in the form of Codex CLI, Copilot CLI and our opencode plugin.

They accept Claude Code's JSON with exit code 0: with exit code 2, Codex reads only stderr, and
Copilot tells the agent only the code. Codex ignores an answer with an unknown key.
"""

CALL = "PreToolUse"

# --- rendered from here on ---


def tell_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Tell the agent why its call is denied, and anything else; return the exit code.

    The decision is the reason to deny the call, or "", and the agent's additional context, or "".
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
