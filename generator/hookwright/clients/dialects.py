"""Translate calls and prompts into a client's vocabulary, as described in the template."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from hookwright.clients.claude.tool_names import build_prefix, split_tool
from hookwright.installer import registry

CLAUDE = "claude"  # the vocabulary of the answers and the rest of the command line
FETCH, URL = "WebFetch", "url"  # the fetch tool and its field


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
