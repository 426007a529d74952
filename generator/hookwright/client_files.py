"""Read what the client is configured with; the files are the user's, and only read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hookwright.discovery.reading import read_json


@dataclass(frozen=True)
class Server:
    """An MCP server of the client's configuration."""

    name: str
    scope: str
    path: Path
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    type: str = "stdio"


def list_servers(cwd: Path) -> dict[str, Server]:
    """Return the MCP servers that the client starts in a folder, by their names."""
    own = os.environ.get("CLAUDE_CONFIG_DIR")
    path = (Path(own) if own else Path.home()) / ".claude.json"
    config = take(read_json(path))
    local = take(take(config.get("projects")).get(str(cwd)))
    shared = cwd / ".mcp.json"
    sources = (
        ("user", path, config),
        ("project", shared, read_json(shared)),
        ("local", path, local),
    )
    found = {}
    for scope, source, content in sources:
        for name, server in take(take(content).get("mcpServers")).items():
            if isinstance(server, dict) and name.isprintable():
                args = server.get("args")
                found[name] = Server(
                    name,
                    scope,
                    source,
                    command=str(server.get("command", "")),
                    args=tuple(map(str, args)) if isinstance(args, list) else (),
                    url=str(server.get("url", "")),
                )
    return found


def take(value: object) -> dict[str, object]:
    """Return a mapping, or an empty one where there is something else."""
    return value if isinstance(value, dict) else {}
