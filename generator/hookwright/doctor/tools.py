"""Look whether the tools that the agent is sent to exist, and take what they are given.

The servers are those of the user's own configuration. What a project says of servers, and what a
folder shares, is never started: the folder may be anybody's.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.answers.records import name_database
from hookwright.clients.claude.configuration import Server, list_servers, pick, texts
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Setup
from hookwright.mcp_probe import Answer, Tool, ask_servers

NAMED = re.compile(r"\bmcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[A-Za-z0-9_-]*[A-Za-z0-9]")
ASKING = re.compile(r"quer|search|question|text|prompt|input|^q$")  # names of what is looked for
UNSEEN = ("plugin_", "claude_ai_")  # servers that are in no file of the user's
LISTED = 8  # tools that a message names


@dataclass(frozen=True)
class Use:
    """A record that sends the agent to a tool.

    Args:
        record: As a message calls it.
        tool: The tool's full name.
        arguments: Those that the record gives it; None where it says nothing of them.

    """

    record: str
    tool: str
    arguments: Mapping[str, Any] | None


def check_tools(
    setup: Setup,
    patience: float,
    progress: Callable[[int, int], object],
    *,
    starts: bool = True,
) -> Iterator[Finding]:
    """Yield what is to say of each tool that the records name.

    Args:
        setup: What there is.
        patience: For how many seconds a server is waited for.
        progress: Told how many of how many servers have answered.
        starts: Whether to start or reach the servers at all.

    """
    uses = list_uses(setup)
    servers = list_servers(setup.folder)
    found = {use.tool: find_server(use.tool, servers) for use in uses}
    wanted = {
        server.name: server for server in found.values() if server and server.scope != "project"
    }
    asked = ask_servers(list(wanted.values()), patience, progress) if starts else {}
    for tool in dict.fromkeys(use.tool for use in uses):
        server, own = found[tool], [use for use in uses if use.tool == tool]
        if server is None:
            yield say_unknown(tool, setup)
        elif not server.approved:
            yield Finding(
                "tools",
                "warn",
                f"{tool}: {server.path} shares the server {server.name}, which you have not "
                "approved of: run claude here, and approve",
            )
        elif server.scope == "project":
            yield Finding(
                "tools",
                "ok",
                f"{tool}: the server {server.name} is configured in {server.path}, and is not "
                "started, for a folder may be anybody's: run claude here, and look at /mcp",
            )
        elif server.name in asked:
            yield check_tool(own, server, asked[server.name])
        else:
            yield Finding("tools", "ok", f"{tool}: the server {server.name} is configured")
    yield from check_permissions(setup, list(found))


def list_uses(setup: Setup) -> list[Use]:
    """Return the tools that the records name, each with its record."""
    uses = [
        Use(name_database(database), str(database.get("mcp_tool_name")), arguments_of(database))
        for database in setup.databases
    ]
    for name, route in setup.routes.items():
        words = dict.fromkeys(NAMED.findall(str(route.get("message", ""))))
        uses += [Use(f"routes.{name}", word, None) for word in words]
    return [use for use in uses if use.tool.startswith("mcp__")]


def arguments_of(database: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments that a database gives its tool."""
    return pick(database, "arguments")


def find_server(tool: str, servers: Mapping[str, Server]) -> Server | None:
    """Return the configured server that a tool is of, or None."""
    fitting = [server for server in servers.values() if tool.startswith(server.prefix)]
    return max(fitting, key=lambda server: len(server.prefix), default=None)


def say_unknown(tool: str, setup: Setup) -> Finding:
    """Return the finding of a tool whose server is not configured."""
    name = tool.removeprefix("mcp__").partition("__")[0]
    if name.startswith(UNSEEN):
        line = f"{tool} is of a plugin or of the account, which cannot be asked from here"
        return Finding("tools", "warn", line)
    record = (setup.project.servers if setup.project else {}).get(name)
    how = (
        word_adding(name, record)
        if record
        else f"claude mcp add {shlex.quote(name)} --scope user -- COMMAND"
    )
    return Finding("tools", "fault", f"{tool}: the server {name} is not configured: {how}")


def word_adding(name: str, record: Mapping[str, Any]) -> str:
    """Return the command that configures a server as the project has it."""
    variables = [f"-e {shlex.quote(f'{key}={text}')}" for key, text in pick(record, "env").items()]
    command = [str(record.get("command")), *texts(record, "args")]
    words = ["claude mcp add", shlex.quote(name), "--scope user", *variables, "--"]
    return " ".join([*words, shlex.join(command)])


def check_tool(uses: list[Use], server: Server, answer: Answer) -> Finding:
    """Return the finding of a tool whose server was asked."""
    full = uses[0].tool
    if answer.fault:
        how = f"claude mcp get {shlex.quote(server.name)}"
        line = f"{full}: the server {server.name} {answer.fault}: {how}"
        return Finding("tools", "fault", line)
    own = full.removeprefix(server.prefix)
    tool = next((one for one in answer.tools if server.prefix + one.name == full), None)
    if tool is None:
        names = [one.name for one in answer.tools]
        has = ", ".join(names[:LISTED]) + ", ..." * (len(names) > LISTED) if names else "none"
        line = f"{full} does not exist: the server {server.name} has {has}, not {own}"
        return Finding("tools", "fault", f"{line}: hookwright edit")
    for use in uses:
        if complaint := find_misuse(use, tool):
            return Finding("tools", "fault", f"{use.record}: {complaint}: hookwright edit")
    return Finding("tools", "ok", f"{full} is there")


def find_misuse(use: Use, tool: Tool) -> str:
    """Return what is wrong with the arguments that a record gives a tool, or ""."""
    if use.arguments is None:
        return ""
    known = tool.arguments
    if unknown := [name for name in use.arguments if known is not None and name not in known]:
        takes = ", ".join(known or ()) or "none"
        return f"{use.tool} has no argument {', '.join(unknown)}, it takes {takes}"
    missing = [
        name for name in tool.required if name not in use.arguments and not ASKING.search(name)
    ]
    if missing and len(missing) < len(tool.required):
        return f"{use.tool} needs the argument {', '.join(missing)}, too"
    if len(missing) > 1:
        return f"{use.tool} needs the arguments {', '.join(missing)}"
    return ""


def check_permissions(setup: Setup, tools: list[str]) -> Iterator[Finding]:
    """Yield which tools the agent may not use, or has to ask for each time."""
    for tool in tools:
        ways = {tool, tool.rpartition("__")[0], f"{tool.rpartition('__')[0]}__*", "mcp__*"}
        ways.add("__".join(tool.split("__")[:2]))
        lists = {
            verb: {
                text
                for settings in setup.settings.values()
                for text in texts(pick(settings, "permissions"), verb)
            }
            for verb in ("allow", "ask", "deny")
        }
        if ways & lists["deny"]:
            line = f"{tool} is denied by permissions.deny: take it out, or name another tool"
            yield Finding("permissions", "fault", line)
        elif ways & lists["ask"]:
            line = f"{tool} is asked for each time, by permissions.ask: take it out there"
            yield Finding("permissions", "warn", line)
        elif not ways & lists["allow"]:
            line = f'{tool} is asked for each time: add "{tool}" to permissions.allow'
            yield Finding("permissions", "warn", line)
        else:
            yield Finding("permissions", "ok", f"{tool} is allowed")
