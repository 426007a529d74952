"""The tools of known MCP servers that search documentation, and what they ask for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.tool_names import build_prefix

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer


@dataclass(frozen=True)
class SearchTool:
    """A tool that searches documentation, and the argument that says where, with an example."""

    name: str
    argument: str
    example: str


LEANN = SearchTool("leann_search", "index_name", "gitlab")
# By what stands in the command, the URL or the name of a server.
KNOWN: Mapping[str, SearchTool] = {
    "leann": LEANN,
    "docs-mcp-server": SearchTool("search_docs", "library", "react"),
    "mcp-server-qdrant": SearchTool("qdrant-find", "collection_name", "docs"),
    "context7": SearchTool("query-docs", "libraryId", "/vercel/next.js"),
}
LEANN_COMMAND = "leann_mcp"
# Earlier hooks were told to name a tool that LEANN does not have.
WRONG_TOOL, RIGHT_TOOL = (f"{build_prefix('leann')}{name}" for name in ("search", LEANN.name))


def recognise(server: "McpServer") -> SearchTool | None:
    """Return the tool that a configured server is known to search by."""
    told = " ".join([server.name, PurePath(server.command).name, *server.args, server.url])
    return next((tool for mark, tool in KNOWN.items() if mark in told.casefold()), None)


def list_search_tools(servers: Iterable["McpServer"]) -> dict[str, SearchTool]:
    """Return the full names of the tools that configured servers are known to search by."""
    known = [(server.prefix, recognise(server)) for server in servers]
    return {f"{prefix}{tool.name}": tool for prefix, tool in known if tool}


def find_tool(full_name: str) -> SearchTool | None:
    """Return the tool of a full name, if it is a known one."""
    name = full_name.rpartition("__")[2]
    return next((tool for tool in KNOWN.values() if tool.name == name), None)


def suggest_arguments(full_name: str, topic: str) -> dict[str, Any]:
    """Return the arguments that a known tool most probably takes."""
    tool = find_tool(full_name)
    return {tool.argument: topic} if tool and topic else {}
