"""Read the calls that hooks are tried on: a query, a URL, a command, or a file of them."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError

TEXTS = {"WebSearch": "query", "WebFetch": "url", "Bash": "command"}  # what a call is known by
LONGEST = 1_000_000  # characters of a line
EXAMPLE = '{"tool_name": "Bash", "tool_input": {"command": "ls"}}'


@dataclass(frozen=True)
class Call:
    """A call that an agent makes: the name of the tool, and its input."""

    tool: str
    input: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What people know the call by: its query, URL or command, or else all its input."""
        value = self.input.get(TEXTS.get(self.tool, ""))
        return value if isinstance(value, str) else json.dumps(self.input, ensure_ascii=False)


def search_or_fetch(text: str) -> Call:
    """Return the call that a text stands for: the fetch of a URL, or else a search."""
    if text.casefold().startswith(("http://", "https://")):
        return Call("WebFetch", {"url": text, "prompt": "Read the page"})
    return Call("WebSearch", {"query": text})


def read_input(text: str) -> dict[str, Any]:
    """Return the input of a call that is written as JSON.

    Raises:
        RefusedError: It is none.

    """
    try:
        value = json.loads(text)
        json.dumps([[value]])  # as below
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise RefusedError('the input of a call is a JSON object: write {"query": "gitlab ci"}')
    return value


def read_corpus(path: Path) -> Iterator[Call]:
    """Yield the calls of a file: of each line that is not blank, a query, a URL or a call as JSON.

    Args:
        path: The file.

    Raises:
        RefusedError: It cannot be read, or a line is no call.

    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), ""), start=1):
                if line.strip():
                    yield read_line(line.strip(), f"{path}:{number}")
    except OSError as error:
        raise RefusedError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is no text: save it as UTF-8") from None


def read_line(line: str, place: str) -> Call:
    """Return the call that a line of a corpus is.

    Raises:
        RefusedError: It begins as JSON does, and is no call; or it is too long.

    """
    if len(line) > LONGEST:
        raise RefusedError(f"{place}: is longer than {LONGEST:,} characters: take it out")
    if not line.startswith("{"):
        return search_or_fetch(line)
    try:
        row = json.loads(line)
        tool, given = row["tool_name"], row["tool_input"]
        json.dumps([[given]])  # what is too deep for an event is refused here
    except (ValueError, RecursionError, KeyError):
        tool, given = None, None
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise RefusedError(f"{place}: is no call: write one a line, such as {EXAMPLE}")
    return Call(tool, given)


def write_event(call: Call) -> str:
    """Return the event that the client sends to a hook before it makes a call, as JSON."""
    return dump_event(
        "PreToolUse",
        permission_mode="default",
        tool_name=call.tool,
        tool_input=call.input,
        tool_use_id="toolu_try",
    )


def write_prompt(prompt: str) -> str:
    """Return the event that the client sends to a hook before a prompt goes on, as JSON."""
    return dump_event("UserPromptSubmit", permission_mode="default", prompt=prompt)


def dump_event(name: str, **fields: object) -> str:
    """Return an event as JSON."""
    event = {**name_session(), "hook_event_name": name, **fields}
    text = json.dumps(event, ensure_ascii=False)
    # As the client does it: characters as they are, but for halves of pairs.
    return text if is_encodable(text) else json.dumps(event)


@cache
def name_session() -> dict[str, str]:
    """Return a session of this process's own, in which nobody has been told anything."""
    return {"session_id": f"hookwright-try-{os.urandom(16).hex()}", "cwd": str(Path.cwd())}


def is_encodable(text: str) -> bool:
    """Tell whether a text has no half of a pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
