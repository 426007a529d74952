"""Sessions: the user's words and the agent's calls.

Secrets are removed from each text as a whole, since a truncated secret is not recognised. Only
typed text counts as the user's words: not tool results, subagent tasks, client reminders or pasted
text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from zlib import crc32

from hookwright_secret_scan.credentials import redact_secrets
from lesson_search.projects import MAX_FOLDER
from lesson_search.prompts.filter import find_obstacle

MAX_TEXT = 20_000  # characters kept per text
MAX_EVENTS = 20_000  # per session
# Session names in any other form may contain secrets.
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
ID = re.compile(rf"[0-9A-Za-z-]{{1,12}}|{UUID}|ses_[0-9A-Za-z]{{26}}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
SHOWN = ("command", "file_path", "url", "query")  # call fields that candidates may quote
# Tools that run a command or change a file; all others keep their names.
TOOLS = {
    **dict.fromkeys(("bash", "exec_command", "run_shell_command", "shell"), "Bash"),
    **dict.fromkeys(("MultiEdit", "Write", "edit", "write", "write_file", "replace"), "Edit"),
    **dict.fromkeys(("apply_patch", "create"), "Edit"),
}
NOT_TYPED = re.compile(
    r"<(system-reminder|pasted_content|ide_\w+)\b[^<>]*>.*?(?:</\1>|\Z)|```.*?(?:```|\Z)", re.DOTALL
)
CUT_WORD = re.compile(r"(?<!\S)\S*\Z")
QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
COMMANDS = {"client's own", "slash command", "shell command"}
Kind = Literal["prompt", "call", "result"]


@dataclass(frozen=True)
class Event:
    """Something that happened in a session."""

    kind: Kind
    time: str = ""  # in ISO 8601, or ""
    text: str = ""  # the user's words, or the output of a failed call
    tool: str = ""  # the tool of a call or result, as Claude Code names it
    input: Mapping[str, str] = field(default_factory=dict)  # input of the call
    error: bool = False  # whether a result is an error


@dataclass
class Session:
    """The events of one session, in order; methods that add events accept untrusted values."""

    id: str
    folder: str = ""  # working directory
    events: list[Event] = field(default_factory=list)
    calls: dict[str, Event] = field(default_factory=dict)  # by ID
    is_subagent: bool = False  # whether an agent wrote the prompts

    def describe(self, folder: object, *, is_subagent: bool = False) -> None:
        """Set the properties of the whole session; only the first folder is kept."""
        self.is_subagent |= is_subagent
        if isinstance(folder, str) and len(folder) <= MAX_FOLDER:
            self.folder = self.folder or folder

    def add_prompt(self, time: object, text: object) -> None:
        """Add what the user typed in a message, unless it is a command or a client's message."""
        if not isinstance(text, str):
            return
        typed = QUOTED.sub("", NOT_TYPED.sub("", take(text))).strip()
        if typed and find_obstacle(typed) not in COMMANDS:
            self.events.append(Event("prompt", read_time(time), typed))

    def add_call(self, time: object, identity: object, tool: object, data: object) -> None:
        """Add a call; `given` is its input."""
        if not isinstance(tool, str):
            return
        values = {"command": data.get("cmd"), **data} if isinstance(data, dict) else {}
        shown = {name: take(values[name]) for name in SHOWN if isinstance(values.get(name), str)}
        call = Event("call", read_time(time), tool=TOOLS.get(tool, tool), input=shown)
        self.calls[str(identity)] = call
        self.events.append(call)

    def add_result(self, time: object, identity: object, text: Any, *, is_error: bool) -> None:
        """Add the result of a call; its text is kept only if it is an error."""
        call = self.calls.get(str(identity), Event("call"))
        text = take(text) if is_error and isinstance(text, str) else ""
        self.events.append(Event("result", read_time(time), text, call.tool, call.input, is_error))


def name_session(name: str) -> str:
    """Return a session name that is an ID unchanged, or else its checksum."""
    return name if ID.fullmatch(name) else f"{crc32(name.encode('utf-8', 'surrogateescape')):08x}"


def read_time(time: object) -> str:
    return time if isinstance(time, str) and MOMENT.fullmatch(time) else ""


def take(text: str) -> str:
    """Return the start of a text, without the word that the limit cuts, with secrets removed."""
    if len(text) > MAX_TEXT:
        text = CUT_WORD.sub("", text[:MAX_TEXT])
    return redact_secrets(text)
