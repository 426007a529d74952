"""Transcripts in Claude Code's format."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Step = tuple[str, Any]


def write_transcript(path: Path, *steps: Step, folder: str = "/work/app") -> Path:
    """Write a transcript; each step is a kind and its text, or a command with its output.

    The kinds `user`, `reminder`, `subagent` and `answer` are texts; `run` and `fail` are commands.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [record for number, step in enumerate(steps) for record in write_step(number, *step)]
    rows = [
        {
            "sessionId": path.stem,
            "cwd": folder,
            "timestamp": f"2026-11-01T10:{number // 60:02}:{number % 60:02}Z",
            "isSidechain": False,
            **record,
        }
        for number, record in enumerate(records)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def write_step(number: int, kind: str, what: Any) -> Iterator[dict[str, Any]]:
    if kind in {"run", "fail"}:
        command, output = what
        call = {
            "type": "tool_use",
            "id": str(number),
            "name": "Bash",
            "input": {"command": command},
        }
        yield {"type": "assistant", "message": {"content": [call]}}
        result = {"type": "tool_result", "tool_use_id": str(number), "content": output}
        content = [{**result, "is_error": kind == "fail"}]
        yield {"type": "user", "toolUseResult": {}, "message": {"content": content}}
    elif kind == "answer":
        yield {"type": "assistant", "message": {"content": [{"type": "text", "text": what}]}}
    elif kind == "reminder":
        text = f"<system-reminder>{what}</system-reminder>"
        yield {"type": "user", "message": {"content": [{"type": "text", "text": text}]}}
    else:
        yield {"type": "user", "message": {"content": what}, "isSidechain": kind == "subagent"}
