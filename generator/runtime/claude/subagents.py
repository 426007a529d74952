"""Add relevant lessons to the task of a Claude Code subagent.

UserPromptSubmit does not run for subagents, and SubagentStart has no task. So the lessons are
appended to the task in the input of the tool that starts the subagent; its permission is unchanged.
"""

from hooks.action_lessons.action_lessons import find_for_failure

from ..git_project import read_field
from ..lesson_hook import ask_server

# --- rendered from here on ---


def find_for_action(raw: bytes) -> "bytes | None":
    """Return the output for a failed command or a subagent, from the event in `raw`."""
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
