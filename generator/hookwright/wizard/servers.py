"""Ask for the MCP servers that search the databases and are not configured yet."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.mcp_servers import say_how_to_add
from hookwright.clients.claude.tool_names import build_prefix, split_tool
from hookwright.discovery.search_tools import LEANN_COMMAND
from hookwright.wizard.ask import ask_text
from hookwright_console.terminal import print_line

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer


def list_missing(
    databases: Iterable[Mapping[str, Any]], servers: Iterable["McpServer"], own: Iterable[str] = ()
) -> list[str]:
    """Return the names of the MCP servers that databases need and nobody has configured.

    Args:
        databases: The records of the databases.
        servers: The servers that the client is configured with.
        own: The names of the servers that the project declares.

    """
    there = {build_prefix(""), *(server.prefix for server in servers), *map(build_prefix, own)}
    names = [split_tool(database["mcp_tool_name"])[0] for database in databases]
    return list(dict.fromkeys(name for name in names if build_prefix(name) not in there))


def ask_servers(template: Path, names: Iterable[str]) -> dict[str, Any]:
    """Ask for the commands that start MCP servers; return the records of those given."""
    from hookwright.answers.validation import check_answers

    servers = {}
    for name in names:

        def check(text: str, name: str = name) -> str:
            try:
                words = shlex.split(text)
            except ValueError as error:
                return f"{error}: correct the quotes"
            return check_answers(template, "mcp_servers", build(name, words)) if words else ""

        command = ask_text(
            f"The client has no MCP server {name}: which command starts it? Leave empty to skip.",
            LEANN_COMMAND if name == "leann" else "",
            example=LEANN_COMMAND,
            check=check,
        )
        if words := shlex.split(command):
            servers.update(build(name, words))
        else:
            print_line(f"later: {say_how_to_add(name)}")
    return servers


def build(name: str, words: list[str]) -> dict[str, Any]:
    """Return the record of a server that a command starts."""
    command, *args = words
    return {name: {"command": command, **({"args": args} if args else {})}}
