"""Deny calls in the format of Gemini CLI and Qwen Code: the agent receives only the reason."""

# --- rendered from here on ---


def print_decision(decision: "tuple[str, str]", _: bytes) -> int:
    """Print the reason for a denial for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "".
    """
    import json

    if decision[0]:
        reason = "\n".join(filter(None, decision))
        print(json.dumps({"decision": "deny", "reason": reason}), flush=True)
    return 0
