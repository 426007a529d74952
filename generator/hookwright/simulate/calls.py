"""Read the calls to test hooks on: a query, a URL, a command, or a file of calls."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright_console.errors import MisusedError, RefusedError

TEXTS = {"WebSearch": "query", "WebFetch": "url", "Bash": "command"}  # input field to show
# A host and a path, such as github.com/octo/hello; node.js or several words are a search.
BARE_URL = re.compile(r"(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}(?::[0-9]+)?/\S*", re.IGNORECASE)
MAX_LINE = 1_000_000  # characters per line
EXAMPLE = '{"tool_name": "Bash", "tool_input": {"command": "ls"}}'


@dataclass(frozen=True)
class Call:
    """An agent's tool call: tool name and input."""

    tool: str
    input: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The call's query, URL or command, or else its whole input."""
        value = self.input.get(TEXTS.get(self.tool, ""))
        return value if isinstance(value, str) else json.dumps(self.input, ensure_ascii=False)


def search_or_fetch(text: str) -> Call:
    """Return the call for a text: a fetch for a URL, with or without https://, or a search."""
    scheme = "https://" if BARE_URL.fullmatch(text) else ""
    if scheme or text.casefold().startswith(("http://", "https://")):
        return Call("WebFetch", {"url": scheme + text, "prompt": "Read the page"})
    return Call("WebSearch", {"query": text})


def parse_json(text: str) -> Any:
    """Return a JSON text's value, or None if it is invalid or nested too deeply for an event."""
    try:
        value = json.loads(text)
        json.dumps([[value]])
    except (ValueError, RecursionError):
        return None
    return value


def read_input(tool: str, text: str) -> dict[str, Any]:
    value = parse_json(text)
    if not isinstance(value, dict):
        raise MisusedError('--input: expected a JSON object such as {"query": "gitlab ci"}')
    if (field := TEXTS.get(tool)) and not isinstance(value.get(field), str):
        raise MisusedError(f'--input: the input of {tool} needs a text "{field}"')
    return value


def read_corpus(path: Path) -> Iterator[Call]:
    """Yield the calls in a file; each line is a query, a URL, a call as JSON, or blank."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), ""), start=1):
                if line.strip():
                    yield read_line(line.strip(), f"{path}:{number}")
    except OSError as error:
        raise RefusedError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is not text: save it as UTF-8") from None


def read_line(line: str, place: str) -> Call:
    """Parse a line of a file as a call; a line that starts like JSON must be a valid call."""
    if len(line) > MAX_LINE:
        raise RefusedError(f"{place}: longer than {MAX_LINE:,} characters: remove it")
    if not line.startswith("{"):
        return search_or_fetch(line)
    row = parse_json(line) or {}
    tool, given = row.get("tool_name"), row.get("tool_input")
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise RefusedError(f"{place}: not a call: write one per line, such as {EXAMPLE}")
    return Call(tool, given)


def write_event(call: Call, client: str = CLAUDE, *, after: bool = False) -> str:
    """Return a client's event before or after a call, as JSON."""
    dialect, more = read_dialects()[client], {}
    tool, tool_input = dialect.name_tool(call.tool), dialect.fill_input(call.tool, call.input)
    if client == CLAUDE:
        tool, more = call.tool, {"permission_mode": "default", "tool_use_id": "toolu_try"}
    event = dialect.after if after else dialect.call
    return dump_event(event, tool_name=tool, tool_input=tool_input, **more)


def write_prompt(prompt: str, client: str = CLAUDE) -> str:
    mode = {"permission_mode": "default"} if client == CLAUDE else {}
    return dump_event(read_dialects()[client].prompt, **mode, prompt=prompt)


def dump_event(name: str, **fields: object) -> str:
    event = {**name_session(), "hook_event_name": name, **fields}
    text = json.dumps(event, ensure_ascii=False)
    # Like the client, escape only lone surrogates, which UTF-8 cannot encode.
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(event)
    return text


@cache
def name_session() -> dict[str, str]:
    return {"session_id": f"hookwright-try-{os.urandom(16).hex()}", "cwd": str(Path.cwd())}
