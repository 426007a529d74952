"""Read sessions from the transcripts that clients keep, without writing anything.

Each format has a function that adds the events of a record to a session. A record is a line of
JSON, or a message part in opencode's database. Every client's records have a different form, so
each function skips the records of other clients.
"""

import errno
import os
import re
import sqlite3
import stat
import time as clock
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright_console.files.regular import open_regular, read_lines, read_start
from hookwright_console.objects import parse_object, pick
from lesson_search.capture.sessions import MAX_EVENTS, Session, name_session
from lesson_search.projects import MAX_FOLDER

MAX_LINE = 1_000_000  # bytes; longer lines contain pictures or whole files
DATABASE = b"SQLite format 3\0"
# The output format of commands in Gemini CLI and Qwen Code, and in Codex.
OUTPUT = re.compile(
    r"^Output: (.*?)^(?:Error: |Exit Code: |Signal: |Process Group PGID: |</untrusted_context>|\Z)"
    r"|^Output:\n(.*)",
    re.DOTALL | re.MULTILINE,
)
FAILED = re.compile(r"^(?:Exit Code: |Process exited with code )(?!0\b)", re.MULTILINE)
PARTS = """
SELECT session.id AS session, session.directory AS folder, message.data AS message,
       part.data AS part,
       strftime('%Y-%m-%dT%H:%M:%SZ', part.time_created / 1000, 'unixepoch') AS time
FROM part JOIN message ON message.id = part.message_id JOIN session ON session.id = part.session_id
WHERE session.parent_id IS NULL AND session.time_updated >= ?1 AND length(part.data) < ?2
    AND length(message.data) < ?2
ORDER BY session.time_updated, session.id, part.time_created, part.id
"""

TABLES = """
SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('message', 'part', 'session')
"""
TIME_LIMIT = 30.0  # seconds to read a database
STEPS = 10_000  # of SQLite between looks at the clock

Record = dict[str, Any]


def read_claude(record: Record, session: Session) -> None:
    kind, time = record.get("type"), record.get("timestamp")
    content = pick(record, "message").get("content")
    if kind not in {"user", "assistant"} or record.get("isSidechain"):
        return
    session.describe(record.get("cwd"))
    is_machine = record.get("isMeta") or record.get("isCompactSummary") or "toolUseResult" in record
    is_typed = kind == "user" and not is_machine
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in list_objects(blocks):
        match block:
            case {"type": "text", "text": text} if is_typed:
                session.add_prompt(time, text)
            case {"type": "tool_use", "id": identity, "name": tool}:
                session.add_call(time, identity, tool, block.get("input"))
            case {"type": "tool_result", "tool_use_id": identity}:
                text = join_texts(block.get("content"))
                session.add_result(time, identity, text, is_error=bool(block.get("is_error")))


def read_codex(record: Record, session: Session) -> None:
    payload, time = pick(record, "payload"), record.get("timestamp")
    identity = payload.get("call_id")
    match payload:
        case _ if record.get("type") == "session_meta":
            is_subagent = isinstance(payload.get("source"), dict)
            session.describe(payload.get("cwd"), is_subagent=is_subagent)
        case {"type": "item_completed", "item": {"type": "UserMessage", "content": content}}:
            session.add_prompt(time, join_texts(content))
        case {"type": "user_message", "message": text}:  # Codex until 0.170
            session.add_prompt(time, text)
        case {"type": "function_call" | "custom_tool_call", "name": tool}:
            session.add_call(time, identity, tool, parse_object(payload.get("arguments")))
        case {"type": "function_call_output" | "custom_tool_call_output", "output": text}:
            add_output(session, time, identity, text)


def read_copilot(record: Record, session: Session) -> None:
    data, time = pick(record, "data"), record.get("timestamp")
    identity = data.get("toolCallId")
    match record.get("type"):
        case _ if record.get("agentId"):  # written by a subagent
            pass
        case "session.start":
            session.describe(pick(data, "context").get("cwd"))
        case "user.message":
            session.add_prompt(time, data.get("content"))
        case "tool.execution_start":
            session.add_call(time, identity, data.get("toolName"), data.get("arguments"))
        case "tool.execution_complete":
            code = pick(data, "shellExecution").get("exitCode")
            is_error = bool(code) or data.get("success") is False
            text = pick(data, "result").get("content") or pick(data, "error").get("message")
            session.add_result(time, identity, text, is_error=is_error)


def read_gemini(record: Record, session: Session) -> None:
    time = record.get("timestamp")
    if record.get("kind") == "subagent":
        session.describe(None, is_subagent=True)
    if record.get("type") == "user" and "message" not in record:
        session.add_prompt(time, join_texts(record.get("content")))
    for call in list_objects(record.get("toolCalls")):
        if str(call.get("id")) in session.calls:  # a message is written again when it changes
            continue
        session.add_call(time, call.get("id"), call.get("name"), call.get("args"))
        for result in list_objects(call.get("result")):
            add_response(session, call.get("timestamp"), result)


def read_qwen(record: Record, session: Session) -> None:
    time = record.get("timestamp")
    parts = list_objects(pick(record, "message").get("parts"))
    if not parts:
        return
    session.describe(record.get("cwd"))
    if record.get("type") == "user" and "subtype" not in record:
        session.add_prompt(time, join_texts(parts))
    for part in parts:
        if call := pick(part, "functionCall"):
            session.add_call(time, call.get("id"), call.get("name"), call.get("args"))
        add_response(session, time, part)


def read_opencode(record: Record, session: Session) -> None:
    message, part = parse_object(record.get("message")), parse_object(record.get("part"))
    time = record.get("time")
    if part:
        session.describe(record.get("folder"))
    match part:
        case {"type": "text", "text": str(text)} if not part.get("synthetic"):
            if message.get("role") == "user":  # `opencode run` quotes the prompt
                session.add_prompt(time, text[1:-1] if text[:1] == text[-1:] == '"' else text)
        case {"type": "tool", "callID": identity, "tool": tool}:
            state = pick(part, "state")
            session.add_call(time, identity, tool, state.get("input"))
            is_error = bool(state.get("error") or pick(state, "metadata").get("exit"))
            output = state.get("error") or state.get("output")
            session.add_result(time, identity, output, is_error=is_error)


@dataclass(frozen=True)
class Format:
    """The location of a client's transcripts, and the function that reads their records."""

    read: Callable[[Record, Session], None]
    variable: str  # environment variable that names the folder
    folder: str  # by default, below the home folder
    paths: str  # glob pattern in the folder; it does not match subagents' transcripts


FORMATS = (
    Format(read_claude, "CLAUDE_CONFIG_DIR", ".claude", "projects/*/*.jsonl"),
    Format(read_codex, "CODEX_HOME", ".codex", "sessions/*/*/*/rollout-*.jsonl"),
    Format(read_copilot, "COPILOT_HOME", ".copilot", "session-state/*/events.jsonl"),
    Format(read_gemini, "GEMINI_CLI_HOME", "", ".gemini/tmp/*/chats/session-*.jsonl"),
    Format(read_qwen, "QWEN_HOME", ".qwen", "projects/*/chats/*.jsonl"),
    Format(read_opencode, "XDG_DATA_HOME", ".local/share", "opencode/opencode.db"),
)


def find_transcripts(since: float) -> list[Path]:
    """Return the transcripts written since a time (Unix), oldest first, ignoring symbolic links."""
    found = []
    for each in FORMATS:
        folder = Path(os.environ.get(each.variable) or Path.home() / each.folder)
        for path in folder.glob(each.paths):
            with suppress(OSError):
                status = path.lstat()
                # A database file's time is outdated until its log is merged into it, so it is
                # always included.
                is_recent = status.st_mtime >= since or path.suffix == ".db"
                if stat.S_ISREG(status.st_mode) and is_recent:
                    found.append((status.st_mtime, path))
    return [path for _, path in sorted(found)]


def read_sessions(path: Path, since: float = 0) -> Iterator[Session]:
    """Yield a transcript's sessions, skipping subagent sessions and broken or overlong lines.

    `since` is the time of the oldest session to read from a database. Raises OSError.
    """
    with open_regular(path) as file:
        if file.read(len(DATABASE)) == DATABASE:
            yield from read_database(path, since)
            return
        file.seek(0)
        session = Session(name_session(path.parent.name if path.stem == "events" else path.stem))
        read_records(map(parse_object, read_lines(file, MAX_LINE)), session)
    # Gemini CLI does not name the folder in the transcript.
    session.describe(read_start(path.parent.parent / ".project_root", MAX_FOLDER).strip())
    if not session.is_subagent:
        yield session


def read_database(path: Path, since: float) -> Iterator[Session]:
    sessions: dict[str, Session] = {}
    try:
        # Without a log of changes, SQLite would create one next to the file.
        mode = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as database:
            end = clock.monotonic() + TIME_LIMIT
            database.set_progress_handler(lambda: clock.monotonic() > end, STEPS)
            database.execute("PRAGMA trusted_schema = OFF")
            if database.execute(TABLES).fetchone() != (3,):  # a view can compute without end
                return
            database.row_factory = sqlite3.Row
            for row in database.execute(PARTS, (since * 1000, MAX_LINE)):
                record = dict(row)
                name = str(record["session"])
                read_records([record], sessions.setdefault(name, Session(name_session(name))))
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(path)) from None
    yield from sessions.values()


def read_records(records: Iterable[Record], session: Session) -> None:
    for record in records:
        if len(session.events) >= MAX_EVENTS:
            return
        for each in FORMATS:
            each.read(record, session)


def add_output(
    session: Session, time: object, identity: object, text: object, *, is_error: bool = False
) -> None:
    """Add the output of a call that also contains the exit code."""
    text = text if isinstance(text, str) else ""
    output = OUTPUT.search(text)
    shown = (output[1] or output[2] or "").strip() if output else text
    session.add_result(time, identity, shown, is_error=is_error or bool(FAILED.search(text)))


def add_response(session: Session, time: object, part: Record) -> None:
    """Add the result in a Gemini message part, if there is one."""
    response = pick(part, "functionResponse")
    if response:
        values = pick(response, "response")
        error = values.get("error")
        text = error or values.get("output")
        add_output(session, time, response.get("id"), text, is_error=bool(error))


def list_objects(values: object) -> list[Record]:
    return [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []


def join_texts(content: object) -> str:
    """Return a text unchanged, or the joined texts of content blocks."""
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in list_objects(content))
    return "\n".join(text for text in texts if isinstance(text, str))
