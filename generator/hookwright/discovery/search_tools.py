"""The search tools of known MCP servers, and the arguments they need."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.tool_names import build_prefix

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer


@dataclass(frozen=True)
class SearchTool:
    """A tool that searches documentation, and the argument for the place, with an example."""

    name: str
    argument: str
    example: str


LEANN = SearchTool("leann_search", "index_name", "gitlab")
# The keys occur in the command, the URL or the name of a server.
KNOWN: Mapping[str, SearchTool] = {
    "leann": LEANN,
    "docs-mcp-server": SearchTool("search_docs", "library", "react"),
    "mcp-server-qdrant": SearchTool("qdrant-find", "collection_name", "docs"),
    "context7": SearchTool("query-docs", "libraryId", "/vercel/next.js"),
}
LEANN_COMMAND = "leann_mcp"
# The documentation of earlier hooks named a tool that LEANN does not have.
WRONG_TOOL, RIGHT_TOOL = (f"{build_prefix('leann')}{name}" for name in ("search", LEANN.name))


def recognise(server: "McpServer") -> SearchTool | None:
    told = " ".join([server.name, PurePath(server.command).name, *server.args, server.url])
    return next((tool for mark, tool in KNOWN.items() if mark in told.casefold()), None)


def list_search_tools(servers: Iterable["McpServer"]) -> dict[str, SearchTool]:
    known = [(server.prefix, recognise(server)) for server in servers]
    return {f"{prefix}{tool.name}": tool for prefix, tool in known if tool}


def suggest_arguments(full_name: str, topic: str) -> dict[str, Any]:
    """Return the suggested arguments of a tool; {} for an unknown one."""
    name = full_name.rpartition("__")[2]
    tool = next((tool for tool in KNOWN.values() if tool.name == name), None)
    return {tool.argument: topic} if tool and topic else {}
