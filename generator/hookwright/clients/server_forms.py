"""Write an MCP server as each client other than Claude Code is configured with it.

The forms are those of the vendors' documentation: Codex CLI's config.toml, Copilot CLI's
mcp-config.json, the settings.json of Gemini CLI and Qwen Code, and opencode's opencode.json.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.json_objects import pick

if TYPE_CHECKING:
    from installer.client import Client

Entry = Mapping[str, Any]  # as Claude Code has it
BEARER = re.compile(r"Bearer \$\{(\w+)\}")
VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class ServerForm:
    """How a client is configured with MCP servers.

    Args:
        files: Where, below its folder; the first of them that exists, or else the first.
        holder: The key that the servers are under.
        write: Returns a server as the client has it, given it as Claude Code has it.
        has_comments: Whether the file may have comments.

    """

    files: tuple[str, ...]
    holder: str
    write: Callable[[Entry], dict[str, Any]]
    has_comments: bool = False

    def locate(self, one: "Client") -> Path:
        """Return the path of the file."""
        paths = [one.find_config_folder() / name for name in self.files]
        return next((path for path in paths if path.exists()), paths[0])


def write_local(entry: Entry) -> dict[str, Any]:
    words = {"command": entry.get("command"), "args": entry.get("args"), "env": entry.get("env")}
    return {name: value for name, value in words.items() if value}


def write_for_codex(entry: Entry) -> dict[str, Any]:
    if "url" not in entry:
        return write_local(entry)
    headers = pick(entry, "headers")
    found = BEARER.fullmatch(str(headers.get("Authorization")))
    rest = {name: text for name, text in headers.items() if not found or name != "Authorization"}
    return {
        "url": entry["url"],
        **({"bearer_token_env_var": found[1]} if found else {}),
        **({"http_headers": rest} if rest else {}),
    }


def write_for_copilot(entry: Entry) -> dict[str, Any]:
    own = {name: entry[name] for name in ("url", "headers") if entry.get(name)}
    kind = {"type": "http"} if own else {"type": "local"}
    return {**kind, **(own or write_local(entry)), "tools": ["*"]}


def write_for_gemini(entry: Entry) -> dict[str, Any]:
    if "url" not in entry:
        return write_local(entry)
    headers = pick(entry, "headers")
    return {"httpUrl": entry["url"], **({"headers": headers} if headers else {})}


def write_for_opencode(entry: Entry) -> dict[str, Any]:
    """Return a server for opencode, whose variables look otherwise."""
    if "url" in entry:
        headers = pick(entry, "headers")
        filled = {name: VARIABLE.sub(r"{env:\1}", str(text)) for name, text in headers.items()}
        own = {"type": "remote", "url": entry["url"]}
        return {**own, **({"headers": filled} if filled else {}), "enabled": True}
    command = [entry.get("command"), *(entry.get("args") or ())]
    env = pick(entry, "env")
    own = {"type": "local", "command": command, **({"environment": env} if env else {})}
    return {**own, "enabled": True}


FORMS = {
    "codex": ServerForm(("config.toml",), "mcp_servers", write_for_codex),
    "copilot": ServerForm(("mcp-config.json",), "mcpServers", write_for_copilot),
    "gemini": ServerForm(("settings.json",), "mcpServers", write_for_gemini, has_comments=True),
    "qwen": ServerForm(("settings.json",), "mcpServers", write_for_gemini, has_comments=True),
    "opencode": ServerForm(
        ("opencode.json", "opencode.jsonc"), "mcp", write_for_opencode, has_comments=True
    ),
}
