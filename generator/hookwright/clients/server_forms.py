"""Write an MCP server in the format of each client other than Claude Code.

The formats come from the vendors' documentation, and are in the client's file in
generator/clients/.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.installer import registry
from hookwright.installer.client import Client
from hookwright_console.objects import pick

Entry = Mapping[str, Any]  # in Claude Code's format
BEARER = re.compile(r"Bearer \$\{(\w+)\}")
VARIABLE = re.compile(r"\$\{(\w+)\}")
TOKEN = "$token"  # noqa: S105 - the field for the variable of a bearer token


@dataclass(frozen=True)
class ServerForm:
    """A client's format for an MCP server."""

    files: tuple[str, ...]  # in the client's folder: the first existing one, or else the first
    holder: str  # the key that contains the servers
    # The fields of a server that the client starts: literal values, or $FIELD for the value of the
    # server's field.
    local: Mapping[str, Any]
    remote: Mapping[str, Any]  # the fields of a server at a URL
    has_comments: bool = False  # whether the file may contain comments
    variable: str = ""  # how a header refers to a variable; "" for Claude Code's syntax

    def locate(self, client: Client) -> Path:
        paths = [client.find_config_folder() / name for name in self.files]
        return next((path for path in paths if path.exists()), paths[0])

    def write(self, entry: Entry) -> dict[str, Any]:
        """Convert a server entry in Claude Code's format to the client's format."""
        form = self.remote if "url" in entry else self.local
        headers = pick(entry, "headers")
        words = [entry.get("command"), *(entry.get("args") or ())]
        known: dict[str, Any] = {f"${name}": value for name, value in entry.items()}
        known |= {"$words": words, "$env": pick(entry, "env")}
        found = BEARER.fullmatch(str(headers.get("Authorization")))
        if TOKEN in form.values() and found:
            known[TOKEN] = found[1]
            headers = {name: text for name, text in headers.items() if name != "Authorization"}
        if self.variable:
            headers = {
                name: VARIABLE.sub(lambda found: self.variable.replace("NAME", found[1]), str(text))
                for name, text in headers.items()
            }
        known["$headers"] = headers
        filled = {key: fill(value, known) for key, value in form.items()}
        return {key: value for key, value in filled.items() if value}


def fill(value: Any, known: Mapping[str, Any]) -> Any:
    return known.get(value) if isinstance(value, str) and value.startswith("$") else value


FORMS = {
    name: ServerForm(**{**row["mcp_servers"], "files": tuple(row["mcp_servers"]["files"])})
    for name, row in registry.CLIENTS.items()
    if "mcp_servers" in row
}
