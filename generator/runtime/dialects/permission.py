"""Deny calls as Codex CLI, Copilot CLI and our opencode plugin understand it.

They take Claude Code's JSON, with exit code 0: with exit code 2, Codex reads stderr alone, and
Copilot tells the agent nothing but the code. Codex ignores an answer that has an unknown key.
"""

CALL = "PreToolUse"

# --- rendered from here on ---


def tell_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Tell the agent why its call is denied, and what else there is to say; return the exit code.

    The decision is the reason to deny the call, or "" to let it through, and the context that the
    agent gets as well, or "".
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
