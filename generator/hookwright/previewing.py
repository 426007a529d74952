"""Tell what a hook would tell the agent: run it on a sample of a call, as the client would."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.refusal import RefusedError

LONGEST = 30  # seconds; the client would not wait as long either


def ask_hook(script: bytes, tool: str, tool_input: Mapping[str, Any]) -> str:
    """Return what a hook tells the agent of a call; nothing of that is remembered.

    Args:
        script: The rendered hook.
        tool: The tool that is called.
        tool_input: What it is called with.

    Returns:
        The reason and the context, one below the other; "" where it lets the call through.

    Raises:
        RefusedError: The hook does not run.

    """
    event = {
        "session_id": "hookwright",
        "cwd": str(Path.cwd()),
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": tool_input,
    }
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        path = Path(folder, "hook.py")
        path.write_bytes(script)
        try:
            ended = subprocess.run(  # noqa: S603 - what the project is about to have
                [sys.executable, "-I", "-S", str(path)],
                input=json.dumps(event).encode(),
                capture_output=True,
                check=False,
                timeout=LONGEST,
                env={**os.environ, "CLAUDE_CONFIG_DIR": folder},
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(f"the hook takes more than {LONGEST} s for this call") from None
    if not ended.stdout.strip():
        return ""
    try:
        told = json.loads(ended.stdout)["hookSpecificOutput"]
        parts = (told.get("permissionDecisionReason"), told.get("additionalContext"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RefusedError("the hook answers what is no decision") from None
    return "\n".join(part for part in parts if part)
