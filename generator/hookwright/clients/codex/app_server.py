"""Ask Codex CLI which hooks it has found, and whether the user trusts them.

`codex app-server` answers `hooks/list` over stdin and stdout without a login, one JSON object per
line (observed with version 0.169.0). A version without that method counts as unresponsive.
"""

import json
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright_console.objects import pick

CALLER = {"name": "hookwright", "version": "0"}
ASKED = 1  # ID of the request
MAX_LINE = 1_000_000  # characters per line


@dataclass(frozen=True)
class FoundHook:
    """A hook found by Codex, for example for preToolUse, and whether the user trusts it."""

    event: str
    command: str
    path: str
    is_trusted: bool


@dataclass(frozen=True)
class FoundHooks:
    """The hooks that Codex found in a folder, and its errors about files that it could not read."""

    hooks: tuple[FoundHook, ...]
    faults: tuple[str, ...]


def list_hooks(program: str, folder: Path, seconds: float) -> FoundHooks | None:
    """Return the hooks that Codex finds in a folder, or None if it does not answer in time."""
    questions: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": {"clientInfo": CALLER}},
        {"method": "initialized"},
        {"id": ASKED, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    ]
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own
            [program, "app-server"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, ValueError):
        return None
    ending = threading.Timer(seconds, process.kill)
    ending.start()
    try:
        with suppress(OSError, ValueError), process:
            if process.stdin and process.stdout:
                process.stdin.write("".join(f"{json.dumps(question)}\n" for question in questions))
                process.stdin.flush()
                while line := process.stdout.readline(MAX_LINE):
                    if (answer := read_answer(line)) is not None:
                        return parse_answer(answer)
    finally:
        ending.cancel()
        process.kill()
    return None


def read_answer(line: str) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and message.get("id") == ASKED else None


def parse_answer(answer: dict[str, Any]) -> FoundHooks | None:
    """Return an answer's content, or None for an error."""
    data = pick(answer, "result").get("data")
    if not isinstance(data, list):
        return None
    folders = list_objects(data)
    hooks = tuple(
        FoundHook(
            str(hook.get("eventName")),
            str(hook.get("command")),
            str(hook.get("sourcePath")),
            hook.get("trustStatus") != "untrusted" and hook.get("enabled") is not False,
        )
        for folder in folders
        for hook in list_objects(folder.get("hooks"))
    )
    faults = tuple(
        format_fault(fault)
        for folder in folders
        for fault in (*(folder.get("errors") or ()), *(folder.get("warnings") or ()))
    )
    return FoundHooks(hooks, faults)


def list_objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def format_fault(fault: object) -> str:
    if not isinstance(fault, dict):
        return " ".join(str(fault).split())
    words = [str(fault[key]) for key in ("path", "message") if fault.get(key)]
    return " ".join(": ".join(words or [json.dumps(fault)]).split())
