"""Add relevant lessons to the task of a Claude Code subagent.

Clients run no UserPromptSubmit hooks for subagents, and SubagentStart events contain no task. So
the hook appends the lessons to the task in the input of the tool that starts the subagent; the
call's permission is unchanged.
"""

from typing import TYPE_CHECKING

from hooks.action_lessons.action_lessons_answer import SENT, find_for_failure

from ..lesson_hook import ask_server, read_field

if TYPE_CHECKING:
    from collections.abc import Callable

# --- rendered from here on ---


def find_for_action(
    raw: bytes, describe_project: "Callable[[bytes], bytes]" = lambda _: b""
) -> "bytes | None":
    """Return the output for a failed command or a subagent, from the event in `raw`."""
    if read_field(raw.decode(), "hook_event_name") != "PreToolUse":
        return find_for_failure(raw, describe_project)
    import json

    event = json.loads(raw)
    given, fields = event["tool_input"], {name: event.get(name) for name in SENT}
    asked = {**fields, "agent_id": event["tool_use_id"], "prompt": given["prompt"]}
    header = describe_project(raw)
    answer = json.loads(ask_server(b"user-prompt-submit", json.dumps(asked).encode(), header))
    if not answer:
        return None
    prompt = given["prompt"] + "\n\n" + answer["hookSpecificOutput"]["additionalContext"]
    output = {"hookEventName": "PreToolUse", "updatedInput": {**given, "prompt": prompt}}
    return json.dumps({"hookSpecificOutput": output}).encode()
