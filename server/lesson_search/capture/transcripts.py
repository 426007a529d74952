"""Read the words and actions of sessions from a client's transcripts, without writing anything.

Secrets are removed from each text as a whole, since a truncated secret is not recognised. Only
typed text counts as the user's words: not tool results, subagent tasks, client reminders or pasted
text.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from hookwright_console.files.regular import open_regular, read_lines
from hookwright_secret_scan.credentials import redact_secrets
from lesson_search.projects import MAX_FOLDER
from lesson_search.prompts.filter import find_obstacle

MAX_LINE = 1_000_000  # bytes; a longer line contains a picture or a whole file
MAX_TEXT = 20_000  # characters kept of a text
# Files with other names may contain secrets.
ID = re.compile(r"[0-9A-Za-z-]{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
SHOWN = ("command", "file_path", "url", "query")  # call fields that candidates mention
MAX_EVENTS = 20_000  # per session
MARK = re.compile(b'"(?:user|assistant)"')
NOT_TYPED = re.compile(
    r"<(system-reminder|pasted_content|ide_\w+)\b[^<>]*>.*?(?:</\1>|\Z)|```.*?(?:```|\Z)", re.DOTALL
)
QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)

COMMANDS = {"client's own", "slash command", "shell command"}
Kind = Literal["prompt", "call", "result"]


@dataclass(frozen=True)
class Event:
    """Something that happened in a session."""

    kind: Kind
    time: str = ""  # in ISO 8601, or ""
    text: str = ""  # the user's words, or the output of a failed call
    tool: str = ""  # the tool of a call or result
    input: Mapping[str, str] = field(default_factory=dict)  # input of the call
    error: bool = False  # whether a result is an error


@dataclass
class Session:
    """The events of one session, in order."""

    id: str
    folder: str = ""  # working directory
    events: list[Event] = field(default_factory=list)


def find_transcripts(since: float) -> list[Path]:
    """Return the transcripts written since a time, oldest first.

    Links and subagents' transcripts, which are in subfolders, are left out.

    Args:
        since: Seconds since the epoch.

    """
    config = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    found = []
    for path in (config / "projects").glob("*/*.jsonl"):
        with suppress(OSError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and status.st_mtime >= since:
                found.append((status.st_mtime, path))
    return [path for _, path in sorted(found)]


def read_session(path: Path) -> Session:
    """Return a transcript's session, skipping broken and overlong lines.

    Raises:
        OSError: The file cannot be read.

    """
    is_plain = ID.fullmatch(path.stem)
    session = Session(path.stem if is_plain else f"{crc32(os.fsencode(path.stem)):08x}")
    tools: dict[str, tuple[str, Any]] = {}
    with open_regular(path) as file:
        for line in read_lines(file, MAX_LINE):
            if not MARK.search(line):
                continue
            if len(session.events) >= MAX_EVENTS:
                break
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and not record.get("isSidechain"):
                folder = record.get("cwd")
                if isinstance(folder, str) and len(folder) <= MAX_FOLDER:
                    session.folder = session.folder or folder
                session.events += read_events(record, tools)
    return session


def read_events(record: Mapping[str, Any], tools: dict[str, tuple[str, Any]]) -> Iterator[Event]:
    """Yield the events in a transcript record.

    Args:
        record: The record.
        tools: The tool and input of each earlier call by ID; this record's calls are added.

    """
    kind, message = record.get("type"), record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    time = record.get("timestamp")
    time = time if isinstance(time, str) and MOMENT.fullmatch(time) else ""
    if kind == "user" and isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if kind not in {"user", "assistant"} or not isinstance(content, list):
        return
    machine = record.get("isMeta") or record.get("isCompactSummary") or "toolUseResult" in record
    for block in content:
        if not isinstance(block, dict):
            continue
        of = block.get("type")
        if of == "text" and kind == "user" and isinstance(text := block.get("text"), str):
            if not machine and (typed := keep_typed(take(text))):
                yield Event("prompt", time, typed)
        elif of == "tool_use" and isinstance(tool := block.get("name"), str):
            given = block.get("input")
            given = given if isinstance(given, dict) else {}
            values = {name: given.get(name) for name in SHOWN}
            given = {name: take(value) for name, value in values.items() if isinstance(value, str)}
            tools[str(block.get("id"))] = tool, given
            yield Event("call", time, tool=tool, input=given)
        elif of == "tool_result":
            tool, given = tools.get(str(block.get("tool_use_id")), ("", {}))
            failed = bool(block.get("is_error"))
            text = take(join_result(block.get("content"))) if failed else ""
            yield Event("result", time, text, tool, given, failed)


def take(text: str) -> str:
    """Return the start of a text, up to a space, without secrets."""
    if len(text) > MAX_TEXT:
        text = "".join(text[:MAX_TEXT].rpartition(" ")[:1]) or text[:MAX_TEXT]
    return redact_secrets(text)


def keep_typed(text: str) -> str:
    """Return the text that the user typed in a message, or "" for commands and client messages."""
    typed = QUOTED.sub("", NOT_TYPED.sub("", text)).strip()
    return "" if find_obstacle(typed) in COMMANDS else typed


def join_result(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
