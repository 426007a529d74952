"""Keep what MCP servers replied when they were asked for their tools."""

import json
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from hookwright.state_folder import find_state_folder
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_object

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer

TIME_LIMIT = 10.0  # seconds for the reply of a server


@dataclass(frozen=True)
class Tool:
    """A tool of a server."""

    name: str  # as the server gives it
    arguments: tuple[str, ...] | None  # None if the server does not say
    required: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """The reply of a server: its tools, or why it did not list them and what the user can do."""

    tools: tuple[Tool, ...] = ()
    fault: str = ""
    way_out: str = ""


def recall_tools(
    servers: Iterable["McpServer"], wanted: Collection[str], progress: Callable[[int, int], object]
) -> dict[str, Reply]:
    """Return the replies of servers by name: kept ones, or new ones of those without a wanted tool.

    `wanted` has full names of tools.
    """
    path = find_state_folder() / "tools.json"
    kept = read_object(path)
    asked, replies = {}, {}
    for server in servers:
        key = sha256(repr(server).encode()).hexdigest()
        tools: tuple[Tool, ...] = ()
        with suppress(LookupError, TypeError, ValueError):
            rows = [(name, known and (*known,), (*need,)) for name, known, need in kept[key]]
            tools = tuple(Tool(*row) for row in rows)
        names = {server.prefix + tool.name for tool in tools}
        if names >= {name for name in wanted if name.startswith(server.prefix)}:
            replies[server.name] = Reply(tools)
        else:
            asked[key] = server
    if asked:
        from hookwright.mcp_probe import probe_servers  # the library takes a second to import

        replies |= probe_servers([*asked.values()], TIME_LIMIT, progress)
        kept |= {key: [*map(astuple, replies[one.name].tools)] for key, one in asked.items()}
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(path) as file:
                json.dump(kept, file)
    return replies
