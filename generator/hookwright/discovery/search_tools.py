"""Known search tools of MCP servers, and the indexes built by LEANN."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from hookwright.clients.claude.mcp_servers import McpServer
from hookwright.clients.claude.tool_names import build_prefix
from hookwright_console.files.regular import read_regular
from hookwright_console.text import is_visible

LEANN_COMMAND = "leann_mcp"
META = "documents.leann.meta.json"  # folders without it are not indexes
MAX_PROJECTS = 500  # projects to search
SUFFIX = re.compile(r"[-_. ]?(?:docs?|documentation|index|manual)\Z", re.IGNORECASE)
MAX_SIZE = 4_000_000  # bytes


@dataclass(frozen=True)
class SearchTool:
    """A documentation search tool, with its location argument and an example of that argument."""

    name: str
    argument: str
    example: str


LEANN = SearchTool("leann_search", "index_name", "gitlab")
# The keys occur in a server's command, URL or name.
KNOWN: Mapping[str, SearchTool] = {
    "leann": LEANN,
    "docs-mcp-server": SearchTool("search_docs", "library", "react"),
    "mcp-server-qdrant": SearchTool("qdrant-find", "collection_name", "docs"),
    "context7": SearchTool("query-docs", "libraryId", "/vercel/next.js"),
}
# The documentation of earlier hooks named a tool that LEANN does not have.
WRONG_TOOL, RIGHT_TOOL = (f"{build_prefix('leann')}{name}" for name in ("search", LEANN.name))


def recognise(server: McpServer) -> SearchTool | None:
    words = " ".join([server.name, PurePath(server.command).name, *server.args, server.url])
    return next((tool for mark, tool in KNOWN.items() if mark in words.casefold()), None)


def list_search_tools(servers: Iterable[McpServer]) -> dict[str, SearchTool]:
    known = [(server.prefix, recognise(server)) for server in servers]
    return {f"{prefix}{tool.name}": tool for prefix, tool in known if tool}


def suggest_arguments(full_name: str, topic: str) -> dict[str, Any]:
    """Return a tool's suggested arguments, or {} for an unknown tool."""
    name = full_name.rpartition("__")[2]
    tool = next((tool for tool in KNOWN.values() if tool.name == name), None)
    return {tool.argument: topic} if tool and topic else {}


def find_indexes(folder: Path, tool: str) -> list[dict[str, Any]]:
    """Return records of the indexes that LEANN built, to be searched with `tool`.

    They are in a folder, the home folder, and the projects listed by LEANN.
    """
    projects = [folder, Path.home(), *list_projects()[:MAX_PROJECTS]]
    paths: dict[Path, Path] = {}
    for project in projects:
        for path in list_indexes(project):
            paths.setdefault(path.resolve(), path)
    used = Counter(path.name for path in paths.values())
    records = []
    for path in paths.values():
        topic = SUFFIX.sub("", path.name) or path.name
        index = path.name if used[path.name] == 1 else str(path)
        records.append(
            {
                "keywords": [topic.casefold()],
                "mcp_tool_name": tool,
                "arguments": {LEANN.argument: index},
                "path": str(path),
                "description": f"the {topic} documentation",
            }
        )
    return records


def list_projects() -> list[Path]:
    listed = read_json(Path.home() / ".leann" / "projects.json")
    names = listed if isinstance(listed, list) else []
    return [Path(name) for name in names if isinstance(name, str) and "\0" not in name]


def is_index(folder: Path) -> bool:
    return os.path.isfile(folder / META)  # noqa: PTH113 - also False for an invalid path


def list_indexes(project: Path) -> list[Path]:
    try:
        found = sorted((project / ".leann" / "indexes").glob(f"*/{META}"))
    except (OSError, ValueError):
        return []
    folders = [path.parent.absolute() for path in found]
    return [path for path in folders if is_visible(str(path)) and path.name == path.name.strip()]


def read_json(path: Path) -> Any:
    """Return a JSON file's content, or None if it is missing or unreadable."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_SIZE:
            return None
        return json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return None
