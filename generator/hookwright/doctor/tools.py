"""Check that the tools in records exist, and accept the records' arguments.

Only servers in the user's own configuration are started, never those declared by a project or
folder, which are untrusted.
"""

import json
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.clients.claude.mcp_servers import (
    TIME_LIMIT,
    McpServer,
    Reply,
    Tool,
    find_server,
    list_servers,
    name_show_command,
)
from hookwright.clients.claude.settings import find_permission
from hookwright.clients.claude.tool_names import (
    check_tool_name,
    find_named,
    is_mcp,
    is_unlisted,
    read_server,
)
from hookwright.discovery.record_files import find_ready_routes
from hookwright.discovery.search_tools import LEANN_COMMAND
from hookwright.doctor.finding import Finding, Setup, Status
from hookwright.doctor.project import FILE, check_path
from hookwright.documentation.database_records import find_database
from hookwright.documentation.registration import LEANN_NAME, SEARCH
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_object
from hookwright_console.files.user_folders import find_state_folder
from hookwright_console.objects import pick, pick_texts
from hookwright_console.text import name_some

ASKING = re.compile(r"quer|search|question|text|prompt|input|^q$")  # name of a query argument
MAX_LISTED = 8  # tools listed in a message
UNKNOWN = "COMMAND (what starts it; if it has a URL, --transport http URL instead of -- COMMAND)"
# What a permission means for the agent.
JUDGED: Mapping[str, tuple[Status, str]] = {
    "deny": ("fault", "permissions.deny blocks {tool}: remove it there, or use another tool"),
    "ask": ("warn", "permissions.ask asks you before each {tool}: remove it there"),
    "": ("warn", 'the client asks you before each {tool}: add "{tool}" to permissions.allow'),
    "allow": ("ok", "{tool} is allowed"),
}


@dataclass(frozen=True)
class Use:
    """A record that sends the agent to a tool."""

    record: str  # the record's name in messages
    tool: str  # the tool's full name
    arguments: Mapping[str, Any] | None  # None if the record has none


def check_tools(
    setup: Setup,
    time_limit: float,
    progress: Callable[[int, int], object],
    *,
    starts: bool = True,
) -> Iterator[Finding]:
    """Check each tool named in records; its server has `time_limit` seconds to answer."""
    uses = list_uses(setup.databases, setup.routes)
    servers = list_servers(setup.folder)
    found = {use.tool: find_server(use.tool, servers) for use in uses}
    own = setup.project.servers if setup.project else {}
    wanted = {
        server.name: server for server in found.values() if server and server.scope != "project"
    }
    asked: Mapping[str, Reply] = {}
    if starts and wanted:
        # The MCP library takes a second to import.
        from hookwright.mcp_probe import probe_servers

        asked = probe_servers(list(wanted.values()), time_limit, progress)
    for tool in list_missing(found):
        yield explain_missing(tool, setup.databases, own)
    for tool, server in found.items():
        if server is None:
            continue
        if server.scope == "project":
            yield explain_shared(tool, server)
        elif server.name in asked:
            yield check_tool([use for use in uses if use.tool == tool], server, asked[server.name])
        else:
            yield Finding.ok("tools", f"{tool}: the server {server.name} is configured")
    for tool, server in found.items():
        if server or is_unlisted(read_server(tool)):
            status, line = JUDGED[find_permission(setup.settings.values(), tool)]
            yield Finding("permissions", status, line.format(tool=tool))
    yield from check_names(setup.databases)


def check_records(
    databases: Sequence[Mapping[str, Any]],
    routes: Mapping[str, Mapping[str, Any]],
    own: Mapping[str, Any],
    progress: Callable[[int, int], object],
) -> Iterator[Finding]:
    """Check database paths, and record tools in the user's own configuration.

    `own` are the servers in the project's answers. Servers that have replied are not queried again.
    """
    uses = list_uses(databases, routes)
    servers = list_servers(Path.cwd(), shared=False)
    found = {use.tool: find_server(use.tool, servers) for use in uses}
    asked = {server.name: server for tool, server in found.items() if server and tool != SEARCH}
    replies = recall_tools(asked.values(), found, progress)
    for tool in list_missing(found):
        yield explain_missing(tool, databases, own)
    for tool, server in found.items():
        if server and server.name in replies:
            named = [use for use in uses if use.tool == tool]
            yield check_tool(named, server, replies[server.name])
    yield from check_names(databases)
    for database in databases:
        path = str(database.get("path"))
        if FILE.match(path) and not find_database(database):
            yield check_path(name_database(database), path)


def list_missing(found: dict[str, McpServer | None]) -> list[str]:
    """Return the first tool of each missing server; `found` are the servers by tool."""
    missing = {read_server(tool): tool for tool in reversed(found) if found[tool] is None}
    return [*reversed(missing.values())]


def check_names(databases: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    for tool in dict.fromkeys(str(database.get("mcp_tool_name")) for database in databases):
        if line := check_tool_name(tool):
            yield Finding("tools", "warn", f"{line}; correct mcp_tool_name with hookwright edit")


def list_uses(
    databases: Iterable[Mapping[str, Any]], routes: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Use]:
    uses = [
        Use(
            name_database(database), str(database.get("mcp_tool_name")), pick(database, "arguments")
        )
        for database in databases
    ]
    for name, route in (routes or {}).items():
        named = find_named(str(route.get("message", "")))
        uses += [Use(f"routes.{name}", tool, None) for tool in named]
    return [use for use in uses if is_mcp(use.tool)]


def explain_missing(
    tool: str, databases: Iterable[Mapping[str, Any]], own: Mapping[str, Any]
) -> Finding:
    name = read_server(tool)
    if is_unlisted(name):
        problem = f"{tool} comes from a plugin or your account, which doctor cannot check"
        return Finding.warn("tools", problem, "run /mcp in a session")
    using = [database for database in databases if database.get("mcp_tool_name") == tool]
    leann = {"command": LEANN_COMMAND} if name == LEANN_NAME else {}
    built, record = next(map(find_database, using), ""), own.get(name, leann)
    command = [str(record.get("command")), *pick_texts(record, "args")]
    start = shlex.join(command) if record else UNKNOWN
    variables = [f"-e {shlex.quote(f'{key}={text}')} " for key, text in pick(record, "env").items()]
    add = f"claude mcp add {shlex.quote(name)} --scope user {''.join(variables)}-- {start}"
    ready = (routes.add_server for routes in ([] if record else find_ready_routes()))
    known = next((line for line in ready if f" {name} " in line), add)
    fix = f"run hookwright setup {built}" if built else f"run {known}"
    return Finding.fault("tools", f"{tool}: the server {name} is not configured", fix)


def explain_shared(tool: str, server: McpServer) -> Finding:
    what = f"the server {server.name} of {server.path}"
    if not server.approved:
        problem = f"{tool}: you have not approved {what}"
        return Finding.warn("tools", problem, "start a session here and approve it")
    line = f"{tool}: {what} was not started, because anyone may have written that file"
    return Finding.ok("tools", f"{line}: run /mcp in a session here")


def check_tool(uses: list[Use], server: McpServer, reply: Reply) -> Finding:
    full = uses[0].tool
    if reply.fault:
        fix = reply.way_out or f"run {name_show_command(server.name)}"
        return Finding.fault("tools", f"{full}: the server {server.name} {reply.fault}", fix)
    tool = next((tool for tool in reply.tools if server.prefix + tool.name == full), None)
    if tool is None:
        has = name_some([tool.name for tool in reply.tools], MAX_LISTED) or "no tools"
        problem = f"{full} does not exist: the server {server.name} has {has}"
        return Finding.fault("tools", problem, f"run hookwright edit {uses[0].record}")
    for use in uses:
        if complaint := find_misuse(use, tool):
            fix = f"run hookwright edit {use.record}"
            return Finding.fault("tools", f"{use.record}: {complaint}", fix)
    return Finding.ok("tools", f"{full} exists")


def find_misuse(use: Use, tool: Tool) -> str:
    if use.arguments is None:
        return ""
    known = tool.arguments
    if unknown := [name for name in use.arguments if known is not None and name not in known]:
        takes = ", ".join(known or ()) or "none"
        return f"{use.tool} has no argument {', '.join(unknown)} (it takes {takes})"
    missing = [
        name for name in tool.required if name not in use.arguments and not ASKING.search(name)
    ]
    if missing and len(missing) < len(tool.required):
        return f"{use.tool} also needs the argument {', '.join(missing)}"
    if len(missing) > 1:
        return f"{use.tool} needs the arguments {', '.join(missing)}"
    return ""


def recall_tools(
    servers: Iterable[McpServer], wanted: Collection[str], progress: Callable[[int, int], object]
) -> dict[str, Reply]:
    """Return the servers' replies by name: cached replies, or new ones if a wanted tool is missing.

    `wanted` are full tool names.
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
        kept |= {key: [*map(astuple, replies[server.name].tools)] for key, server in asked.items()}
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(path) as file:
                json.dump(kept, file)
    return replies
