"""Read what the client is configured with, as the client does; its files may hold anything.

Nothing is ever written. What was found out with Claude Code 2.1.330: `claude mcp add` writes a
server of the user or of a folder (local) into .claude.json, one that a folder shares (project) into
.mcp.json. A local server goes before one of the project, and that before one of the user, but only
once the user has approved of it.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookwright.project.installer import find_config_folder
from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular

VARIABLE = re.compile(r"\$\{(\w+)(?::-([^{}]*))?\}")
FOREIGN = re.compile(r"[^A-Za-z0-9_-]")  # what no tool's name can have
LARGEST = 50_000_000  # bytes of a file: .claude.json grows with what the user does


@dataclass(frozen=True)
class Server:
    """An MCP server that the client is configured with.

    Args:
        name: As the user calls it.
        scope: user, project or local.
        path: The file that says so.
        kind: How it is reached: stdio, http or sse.
        command: What starts it, or "".
        args: The arguments of that.
        env: The variables that it gets besides those of the client.
        url: Where it is, or "".
        headers: What is sent along.
        approved: Whether the client connects to it; one that a folder shares may wait for that.

    """

    name: str
    scope: str
    path: Path
    kind: str = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    approved: bool = True

    @property
    def prefix(self) -> str:
        """What the names of its tools begin with."""
        return f"mcp__{FOREIGN.sub('_', self.name)}__"


def list_servers(folder: Path) -> dict[str, Server]:
    """Return the MCP servers of the client in a folder by their names.

    Of several of a name it is the one that the client takes. Files that are missing or broken hold
    none.
    """
    top = find_trusted(folder)
    main = read_object(locate_main())
    own = pick(pick(main, "projects"), str(top))
    found = {server.name: server for server in parse_servers(main, "user", locate_main())}
    approves = read_approvals(top, own)
    for path in reversed([place / ".mcp.json" for place in (folder, *folder.parents)]):
        for server in parse_servers(read_object(path), "project", path, approves):
            if server.approved or server.name not in found:
                found[server.name] = server
    found |= {server.name: server for server in parse_servers(own, "local", locate_main())}
    return found


def locate_main() -> Path:
    """Return the path of the file that the client keeps the user's servers in."""
    folder = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(folder or Path.home(), ".claude.json")


def find_trusted(folder: Path) -> Path:
    """Return what the client keeps the configuration of a folder under: its repository's top."""
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)


def list_settings(folder: Path) -> list[tuple[str, Path]]:
    """Return the scope and the path of each settings file that the client reads in a folder."""
    own = folder / ".claude"
    return [
        ("managed", find_managed()),
        ("user", find_config_folder() / "settings.json"),
        ("project", own / "settings.json"),
        ("local", own / "settings.local.json"),
    ]


def find_managed() -> Path:
    """Return the path of the settings that an administrator makes for everyone."""
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "win32":
        return Path("C:/Program Files/ClaudeCode/managed-settings.json")
    return Path("/etc/claude-code/managed-settings.json")


def read_approvals(top: Path, own: Mapping[str, Any]) -> Callable[[str], bool]:
    """Return what tells whether the user approved of a server that a folder shares, by its name.

    What the folder's own settings say counts where the user trusts the folder.
    """
    trusted = own.get("hasTrustDialogAccepted") is True
    sources = [
        read_object(path)
        for scope, path in list_settings(top)
        if scope in {"managed", "user"} or trusted
    ]
    sources += [dict(own)] if trusted else []
    every = any(source.get("enableAllProjectMcpServers") is True for source in sources)
    enabled = {name for source in sources for name in texts(source, "enabledMcpjsonServers")}
    refused = {name for source in sources for name in texts(source, "disabledMcpjsonServers")}
    return lambda name: name not in refused and (every or name in enabled)


def parse_servers(
    holder: Mapping[str, Any],
    scope: str,
    path: Path,
    approves: Callable[[str], bool] = lambda _: True,
) -> Iterator[Server]:
    """Yield the servers under mcpServers; what is none, or cannot be reached, is passed over."""
    for name, record in pick(holder, "mcpServers").items():
        if not isinstance(record, dict):
            continue
        command, url = (expand(str(record.get(key) or "")) for key in ("command", "url"))
        kind = str(record.get("type") or "stdio")
        if not (command if kind == "stdio" else url):
            continue
        yield Server(
            name=name,
            scope=scope,
            path=path,
            kind=kind,
            command=command,
            args=tuple(map(expand, texts(record, "args"))),
            env=expand_values(record, "env"),
            url=url,
            headers=expand_values(record, "headers"),
            approved=approves(name),
        )


def expand(text: str) -> str:
    """Return a text with the values of ${VARIABLES}, as the client fills them in.

    One that is not set becomes what stands behind :- there, or else stays as it is.
    """

    def fill(found: re.Match[str]) -> str:
        value = os.environ.get(found[1])
        if value is None:
            value = found[2]
        return found[0] if value is None else value

    return VARIABLE.sub(fill, text)


def expand_values(record: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the texts of a mapping in a record, with the values of their variables."""
    values = pick(record, key)
    return {name: expand(text) for name, text in values.items() if isinstance(text, str)}


def pick(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the mapping at a key, which is empty where there is something else."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def texts(holder: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of a list at a key, which is empty where there is something else."""
    value = holder.get(key)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file, which is empty where there is none."""
    try:
        return parse_object(path) or {}
    except RefusedError:
        return {}


def parse_object(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file, or None where there is no file.

    Raises:
        RefusedError: It cannot be read, or holds something else.

    """
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise RefusedError(f"{path} is no file of settings: move it away")
        value = json.loads(read_regular(path).decode("utf-8-sig"))
    except OSError as error:
        raise RefusedError(f"{path} cannot be read ({error.strerror}): mend that") from None
    except json.JSONDecodeError as error:
        raise RefusedError(
            f"{path} is no JSON, at line {error.lineno} ({error.msg}): mend it"
        ) from None
    except (ValueError, RecursionError):
        raise RefusedError(f"{path} is no JSON: mend it") from None
    if not isinstance(value, dict):
        raise RefusedError(f"{path} holds no object: mend it")
    return value
