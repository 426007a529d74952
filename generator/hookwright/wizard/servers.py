"""Ask for MCP servers that search the databases and are not configured yet."""

import shlex
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.tool_names import build_prefix, split_tool
from hookwright.discovery.search_tools import LEANN_COMMAND
from hookwright.documentation.registration import OUR_NAME
from hookwright.wizard.dialogue import Dialogue

PURPOSE = "A server that a database needs, and that the client does not have yet."

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer


def list_missing(
    databases: Iterable[Mapping[str, Any]], servers: Iterable["McpServer"], own: Iterable[str] = ()
) -> list[str]:
    """Return the MCP servers that databases need but neither client nor project configures.

    Hookwright's own server is excluded: `hookwright setup` configures it.
    """
    there = {build_prefix(name) for name in ("", OUR_NAME, *own)}
    there |= {server.prefix for server in servers}
    names = [split_tool(database["mcp_tool_name"])[0] for database in databases]
    return list(dict.fromkeys(name for name in names if build_prefix(name) not in there))


def ask_servers(dialogue: Dialogue, template: Path, names: Iterable[str]) -> dict[str, Any]:
    """Ask for the commands that start MCP servers; return records for the specified ones."""
    servers: dict[str, Any] = {}
    for name in names:
        asked = partial(ask_command, dialogue, template, name)
        command = dialogue.section("MCP server", PURPOSE, asked)
        if words := shlex.split(command):
            servers.update(build(name, words))
    return servers


def ask_command(dialogue: Dialogue, template: Path, name: str) -> str:
    from hookwright.answers.validation import check_answers

    def check(text: str) -> str:
        try:
            words = shlex.split(text)
        except ValueError as error:
            return f"{error}: correct the quotes"
        return check_answers(template, "mcp_servers", build(name, words)) if words else ""

    return dialogue.ask_text(
        f"The client has no MCP server {name}: which command starts it?",
        LEANN_COMMAND if name == "leann" else "",
        example=LEANN_COMMAND,
        check=check,
        may_be_empty=True,
    )


def build(name: str, words: list[str]) -> dict[str, Any]:
    command, *args = words
    return {name: {"command": command, **({"args": args} if args else {})}}
