"""Ask for the MCP servers that search the databases and are not configured yet."""

import shlex
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.answers.schema import name_database
from hookwright.clients.claude.mcp_servers import say_how_to_add
from hookwright.clients.claude.tool_names import build_prefix, split_tool
from hookwright.discovery.search_tools import LEANN_COMMAND
from hookwright.documentation.database_records import is_of
from hookwright.documentation.registration import OUR_NAME
from hookwright.wizard.dialogue import Dialogue
from hookwright.wizard.form import Form

PURPOSE = "A server that a database needs, and that the client does not have yet."

if TYPE_CHECKING:
    from hookwright.clients.claude.mcp_servers import McpServer


def list_missing(
    databases: Iterable[Mapping[str, Any]], servers: Iterable["McpServer"], own: Iterable[str] = ()
) -> list[str]:
    """Return the MCP servers that databases need, and that neither client nor project has."""
    there = {build_prefix(""), *(server.prefix for server in servers), *map(build_prefix, own)}
    names = [split_tool(database["mcp_tool_name"])[0] for database in databases]
    return list(dict.fromkeys(name for name in names if build_prefix(name) not in there))


def list_missing_others(form: Form, databases: list[dict[str, Any]]) -> list[str]:
    """Return what `list_missing` does, without Hookwright's server; say what configures that."""
    missing = list_missing(databases, form.servers.values())
    if OUR_NAME in missing:
        names = [name_database(one) for one in databases if is_of(one, OUR_NAME)]
        form.dialogue.tell(f"later: hookwright setup {names[0]} (for the server {OUR_NAME})")
    return [name for name in missing if name != OUR_NAME]


def ask_servers(dialogue: Dialogue, template: Path, names: Iterable[str]) -> dict[str, Any]:
    """Ask for the commands that start MCP servers; return the records of those given."""
    servers: dict[str, Any] = {}
    for name in names:
        asked = partial(ask_command, dialogue, template, name)
        command = dialogue.section("MCP server", PURPOSE, asked)
        if words := shlex.split(command):
            servers.update(build(name, words))
        else:
            dialogue.tell(f"later: {say_how_to_add(name)}")
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
