"""Translate calls, prompts and MCP servers into a client's vocabulary, as in generator/clients/.

The formats of MCP servers come from the vendors' documentation.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from hookwright.clients.claude.tool_names import build_prefix, split_tool
from hookwright.installer import registry
from hookwright.installer.client import Client
from hookwright_console.objects import pick

CLAUDE = "claude"  # the vocabulary of the answers and the rest of the command line
FETCH, URL = "WebFetch", "url"  # the fetch tool and its field
Entry = Mapping[str, Any]  # in Claude Code's format
BEARER = re.compile(r"Bearer \$\{(\w+)\}")
VARIABLE = re.compile(r"\$\{(\w+)\}")
TOKEN = "$token"  # noqa: S105 - the field for the variable of a bearer token


@dataclass(frozen=True)
class Dialect:
    """A client's event and tool names: the fields of its client.json, with defaults."""

    name: str
    title: str
    call: str
    prompt: str
    tools: Mapping[str, str]
    mcp_tool: Sequence[str]
    folder: str
    plugin: str
    after: str = ""
    hyphen: str = "-"
    url_in: str = ""
    second: int = 1  # in the unit of its timeouts

    @property
    def settings(self) -> str:
        if self.name == CLAUDE:
            return "hooks/hooks.json"
        return f"clients/{self.name}/{self.plugin or 'hooks.json'}"

    @property
    def scripts(self) -> str:
        return "hooks" if self.name == CLAUDE else f"clients/{self.name}/hooks"

    def name_tool(self, tool: str) -> str:
        """Return the client's name for a tool in the answers, or "" if the client lacks the tool.

        MCP tools and unknown tools are returned unchanged.
        """
        server, name = split_tool(tool)
        if server:
            return f"{self.mcp_tool[0]}{server}{self.mcp_tool[1]}{name}".replace("-", self.hyphen)
        return self.tools.get(tool, "") if tool in read_dialects()[CLAUDE].tools else tool

    def read_tool(self, tool: str, servers: Iterable[str]) -> str:
        """Return the answers' name for an MCP tool of these servers; keep other names unchanged."""
        for server in sorted(servers, key=len, reverse=True):
            before = f"{self.mcp_tool[0]}{server}{self.mcp_tool[1]}".replace("-", self.hyphen)
            if tool.startswith(before):
                return build_prefix(server) + tool.removeprefix(before)
        return tool

    def fill_input(self, tool: str, tool_input: Mapping[str, Any]) -> dict[str, Any]:
        if not self.url_in or tool != FETCH or not isinstance(tool_input.get(URL), str):
            return dict(tool_input)
        others = {field: value for field, value in tool_input.items() if field != URL}
        return {**others, self.url_in: f"Read {tool_input[URL]}"}


@cache
def read_dialects() -> Mapping[str, Dialect]:
    known = {field.name for field in fields(Dialect)}
    dialects = {}
    for name, row in registry.CLIENTS.items():
        place = row["installation"]
        own = {"name": name, "folder": place["variable"], "plugin": place.get("plugin", "")}
        dialects[name] = Dialect(**{key: row[key] for key in known & row.keys()} | own)
    return dialects


@dataclass(frozen=True)
class ServerForm:
    """A client's format for an MCP server."""

    files: tuple[str, ...]  # in the client's folder: the first existing one, or else the first
    holder: str  # the key that contains the servers
    # The fields of a server that the client starts: literal values, or $FIELD for the value of the
    # server's field.
    local: Mapping[str, Any]
    remote: Mapping[str, Any]  # the fields of a server at a URL
    has_comments: bool = False  # whether the file may contain comments
    variable: str = ""  # how a header refers to a variable; "" for Claude Code's syntax

    def locate(self, client: Client) -> Path:
        paths = [client.find_config_folder() / name for name in self.files]
        return next((path for path in paths if path.exists()), paths[0])

    def write(self, entry: Entry) -> dict[str, Any]:
        """Convert a server entry in Claude Code's format to the client's format."""
        form = self.remote if "url" in entry else self.local
        headers = pick(entry, "headers")
        words = [entry.get("command"), *(entry.get("args") or ())]
        known: dict[str, Any] = {f"${name}": value for name, value in entry.items()}
        known |= {"$words": words, "$env": pick(entry, "env")}
        found = BEARER.fullmatch(str(headers.get("Authorization")))
        if TOKEN in form.values() and found:
            known[TOKEN] = found[1]
            headers = {name: text for name, text in headers.items() if name != "Authorization"}
        if self.variable:
            headers = {
                name: VARIABLE.sub(lambda found: self.variable.replace("NAME", found[1]), str(text))
                for name, text in headers.items()
            }
        known["$headers"] = headers
        filled = {key: fill(value, known) for key, value in form.items()}
        return {key: value for key, value in filled.items() if value}


def fill(value: Any, known: Mapping[str, Any]) -> Any:
    return known.get(value) if isinstance(value, str) and value.startswith("$") else value


FORMS = {
    name: ServerForm(**{**row["mcp_servers"], "files": tuple(row["mcp_servers"]["files"])})
    for name, row in registry.CLIENTS.items()
    if "mcp_servers" in row
}
