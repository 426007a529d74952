"""Deny calls in the format of Gemini CLI and Qwen Code, and warn about finished calls.

These clients drop all context that is sent before a call. After the call, they add context to the
result.
"""

from .before_and_after import AFTER, read_event

# --- rendered from here on ---


def print_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Print the reason for a denial, or a warning after the call; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "".
    """
    import json

    reason, context = decision
    if reason:
        reason = "\n".join(filter(None, decision))
        print(json.dumps({"decision": "deny", "reason": reason}), flush=True)
    elif context and read_event(raw)["over"]:
        output = {"hookEventName": AFTER, "additionalContext": context}
        print(json.dumps({"hookSpecificOutput": output}), flush=True)
    return 0
