"""Read Claude Code's MCP server configuration, and the servers' replies about their tools.

Observed with Claude Code 2.1.330: `claude mcp add` writes servers with user scope, or local scope
(one folder), to .claude.json, and servers with project scope (shared with the folder) to .mcp.json.
Local servers take precedence over project servers, and project servers, once the user has approved
them, over user servers.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookwright.clients.claude.settings import list_settings, locate_main
from hookwright.clients.claude.tool_names import build_prefix
from hookwright_console.files.regular import read_object
from hookwright_console.objects import pick, pick_texts

VARIABLE = re.compile(r"\$\{(\w+)(?::-([^{}]*))?\}")
TIME_LIMIT = 10.0  # seconds to wait for a server's reply


@dataclass(frozen=True)
class McpServer:
    """An MCP server configured in the client."""

    name: str  # the user's name for it
    scope: str  # user, project or local
    path: Path  # the file that configures it
    kind: str = "stdio"  # stdio, http or sse
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)  # added to the client's environment
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)  # sent with each request
    approved: bool = True  # the client connects to a shared server only if the user approved it

    @property
    def prefix(self) -> str:
        return build_prefix(self.name)


@dataclass(frozen=True)
class Tool:
    """A server's tool."""

    name: str  # as reported by the server
    arguments: tuple[str, ...] | None  # None if the server does not report them
    required: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """A server's reply: its tools, or why it did not list them and how to fix it."""

    tools: tuple[Tool, ...] = ()
    fault: str = ""
    way_out: str = ""


def list_servers(folder: Path, *, shared: bool = True) -> dict[str, McpServer]:
    """Return the client's MCP servers in a folder by name.

    If several servers share a name, only the one that the client uses is returned. A missing or
    broken file counts as empty. Servers declared by the folder are `shared`.
    """
    # The client uses the configuration of the repository's top folder.
    tops = (place for place in (folder, *folder.parents) if (place / ".git").exists())
    top = next(tops, folder)
    main = read_object(locate_main())
    own = pick(pick(main, "projects"), str(top))
    found = {server.name: server for server in parse_servers(main, "user", locate_main())}
    approves = read_approvals(top, own)
    places = [*reversed(folder.parents), folder] if shared else []
    for path in [place / ".mcp.json" for place in places]:
        for server in parse_servers(read_object(path), "project", path, approves):
            if server.approved or server.name not in found:
                found[server.name] = server
    found |= {server.name: server for server in parse_servers(own, "local", locate_main())}
    return found


def find_server(tool: str, servers: Mapping[str, McpServer]) -> McpServer | None:
    """Return the configured server that provides a tool, or None."""
    fitting = [server for server in servers.values() if tool.startswith(server.prefix)]
    return max(fitting, key=lambda server: len(server.prefix), default=None)


def read_approvals(top: Path, own: Mapping[str, Any]) -> Callable[[str], bool]:
    """Return a function that maps a shared server's name to whether the user approved the server.

    The settings in the folder itself count only if the user trusts the folder.
    """
    trusted = own.get("hasTrustDialogAccepted") is True
    sources = [
        read_object(path)
        for scope, path in list_settings(top)
        if scope in {"managed", "user"} or trusted
    ]
    sources += [dict(own)] if trusted else []
    every = any(source.get("enableAllProjectMcpServers") is True for source in sources)
    enabled = {name for source in sources for name in pick_texts(source, "enabledMcpjsonServers")}
    refused = {name for source in sources for name in pick_texts(source, "disabledMcpjsonServers")}
    return lambda name: name not in refused and (every or name in enabled)


def parse_servers(
    holder: Mapping[str, Any],
    scope: str,
    path: Path,
    approves: Callable[[str], bool] = lambda _: True,
) -> Iterator[McpServer]:
    """Yield the reachable servers under mcpServers; skip invalid values."""
    for name, record in pick(holder, "mcpServers").items():
        if not isinstance(record, dict):
            continue
        command, url = (expand(str(record.get(key) or "")) for key in ("command", "url"))
        kind = str(record.get("type") or "stdio")
        if not (command if kind == "stdio" else url):
            continue
        yield McpServer(
            name=name,
            scope=scope,
            path=path,
            kind=kind,
            command=command,
            args=tuple(map(expand, pick_texts(record, "args"))),
            env=expand_values(record, "env"),
            url=url,
            headers=expand_values(record, "headers"),
            approved=approves(name),
        )


def expand(text: str) -> str:
    """Return text with ${VARIABLES} expanded as the client does.

    An unset variable is replaced by the default after :-, or left unexpanded if it has none.
    """
    return VARIABLE.sub(
        lambda found: os.environ.get(found[1], found[0] if found[2] is None else found[2]), text
    )


def expand_values(record: Mapping[str, Any], key: str) -> dict[str, str]:
    return {name: expand(text) for name, text in pick(record, key).items() if isinstance(text, str)}


def name_show_command(name: str) -> str:
    return f"claude mcp get {shlex.quote(name)}"
