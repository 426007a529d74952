"""Deny calls in the form of Gemini CLI and Qwen Code: the agent gets only the reason."""

# --- rendered from here on ---


def tell_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Tell the agent why its call is denied; return the exit code.

    The decision is the reason to deny the call, or "", and the agent's additional context, or "".
    """
    import json

    if decision[0]:
        reason = "\n".join(filter(None, decision))
        print(json.dumps({"decision": "deny", "reason": reason}), flush=True)
    return 0
