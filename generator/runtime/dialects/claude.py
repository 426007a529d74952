"""Read Claude Code's events about tool calls and prompts, and answer them in its format.

A PreToolUse hook allows the call with exit code 0: stdout is empty, or contains JSON with a note
for the agent. It denies the call with exit code 2: stdout contains the decision as JSON, and stderr
the same guidance for clients that read only stderr. The output of a UserPromptSubmit hook with exit
code 0 is added to the prompt; exit code 2 would discard the prompt.

Copilot CLI loads Claude Code's settings and plugins, but accepts JSON only with exit code 0, and
lessons only in a separate field. It runs the copies of a hook in turn, and stops at the first
denial.

Clients run no UserPromptSubmit hooks for subagents, and SubagentStart events contain no task. So
the lessons are appended to the task in the input of the tool that starts the subagent; the call's
permission is unchanged.

The modules next to this one define the same names for other clients, so that their hooks can be
rendered with the same decision code.
"""

import sys
from typing import TYPE_CHECKING

from hooks.action_lessons.action_lessons_answer import SENT, find_for_failure

from ..event import environ  # type: ignore[attr-defined] # it is part of posix
from ..lesson_hook import ask_server, read_field
from ..prompts import OPENING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# --- rendered as copilot ---


COPILOT = environ.get(b"COPILOT_CLI") == b"1"


# --- rendered as calls ---

# The client's names for its events and tools.
CALL, START = "PreToolUse", "SessionStart"
SEARCH, FETCH, SHELL = "WebSearch", "WebFetch", "Bash"
# How the agent loads the named tools.
LOADING = 'ToolSearch "select:%s" loads it.'


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions, in Claude Code's form.

    These are hook_event_name, session_id, agent_id, tool_name and tool_input. Raises any exception
    for invalid events.
    """
    import json

    return json.loads(raw.decode())


def print_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Print the reason for a denial, and any note, for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "". `raw` is the event.
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
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        return 0
    if reason and sys.__stderr__:  # print writes to stdout if it is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0


# --- rendered as folder ---


def find_memory_folder() -> str:
    """Return the folder for the hooks' memory and logs; raises OSError without a home folder."""
    import os

    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    folder = os.path.normpath(os.path.join(config, "hooks"))
    home = os.path.dirname(os.path.dirname(folder))
    if not os.path.isabs(config) or not os.path.isdir(home):
        raise FileNotFoundError(home)
    return folder


# --- rendered as prompts ---


def print_answer(answer: bytes, raw: bytes) -> int:
    """Print the server's answer unchanged, or in Copilot CLI's form; return the exit code."""
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        answer = b'{"additionalContext":"' + answer[len(OPENING) : -len('"}}')] + b'"}'
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    return 0


# --- rendered as subagents ---


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
