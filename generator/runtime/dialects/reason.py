"""Deny calls as Gemini CLI and Qwen Code understand it: the agent gets the reason alone."""

# --- rendered from here on ---


def tell_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Tell the agent why its call is denied; return the exit code.

    The decision is the reason to deny the call, or "" to let it through, and the context that the
    agent gets as well, or "".
    """
    import json

    if decision[0]:
        reason = "\n".join(filter(None, decision))
        print(json.dumps({"decision": "deny", "reason": reason}), flush=True)
    return 0
