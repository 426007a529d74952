"""Add the lessons about its task to the task of a subagent of Claude Code.

UserPromptSubmit does not run for it, and SubagentStart has no task. So they are put below the task
in the input of the tool that starts it, whose permission stays as it is.
"""

from hooks.action_lessons.action_lessons import find_for_failure

from ..git_project import read_field
from ..lesson_hook import ask_server

# --- rendered from here on ---


def find_for_action(raw: bytes) -> "bytes | None":
    """Return what to print for the failed command, or the subagent, of the event in `raw`."""
    if read_field(raw.decode(), "hook_event_name") != "PreToolUse":
        return find_for_failure(raw)
    import json

    event = json.loads(raw)
    given, subagent = event["tool_input"], event["tool_use_id"]
    fields = {"session_id": event["session_id"], "agent_id": subagent, "prompt": given["prompt"]}
    answer = json.loads(ask_server(b"user-prompt-submit", raw, json.dumps(fields).encode()))
    if not answer:
        return None
    prompt = given["prompt"] + "\n\n" + answer["hookSpecificOutput"]["additionalContext"]
    output = {"hookEventName": "PreToolUse", "updatedInput": {**given, "prompt": prompt}}
    return json.dumps({"hookSpecificOutput": output}).encode()
