"""Find configuration files of earlier hooks, and the records they contain."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookwright.clients.claude.configuration import find_config_folder
from hookwright.discovery.search_tools import RIGHT_TOOL, WRONG_TOOL, read_json

DATABASES = "docsearch-config.json"
ROUTES = "tool-routes.json"

CheckRecord = Callable[[str, Any, str | int], str]


@dataclass
class OldFile:
    """An earlier hook's configuration file."""

    path: Path
    # The file's valid database records.
    databases: list[dict[str, Any]] = field(default_factory=list)
    # The file's valid route records, by name.
    routes: dict[str, dict[str, Any]] = field(default_factory=dict)
    # The faults of its other records, one line each.
    complaints: list[str] = field(default_factory=list)


def find_old_files(folders: list[Path], check: CheckRecord) -> list[OldFile]:
    """Return the old files in these folders and the client's, without duplicates.

    `check` returns a record's fault, given its question and its name or number.
    """
    config = find_config_folder()
    found: dict[Path, OldFile] = {}
    for folder in (*folders, config, config / "hooks"):
        for name, read in ((DATABASES, read_databases), (ROUTES, read_routes)):
            path = folder.absolute() / name
            old = OldFile(path)
            read(old, read_json(path), check)
            if old.databases or old.routes or old.complaints:
                found.setdefault(path.resolve(), old)
    return list(found.values())


def read_databases(old: OldFile, content: object, check: CheckRecord) -> None:
    records = content.get("databases") if isinstance(content, dict) else None
    for number, record in enumerate(records if isinstance(records, list) else []):
        if complaint := check("databases", record, number):
            old.complaints.append(complaint)
        else:
            old.databases.append(record)


def read_routes(old: OldFile, content: object, check: CheckRecord) -> None:
    records = content.get("routes") if isinstance(content, dict) else None
    for name, record in (records if isinstance(records, dict) else {}).items():
        if complaint := check("routes", record, name):
            old.complaints.append(complaint)
        else:
            old.routes[name] = record


def names_wrong_tool(database: Mapping[str, Any]) -> bool:
    """Return whether a record names a tool that LEANN does not have."""
    return bool(database["mcp_tool_name"] == WRONG_TOOL)


def correct_tool(database: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with LEANN's tool, and the index at the end of its path."""
    arguments = {"index_name": Path(database["path"]).name, **database.get("arguments", {})}
    return {**database, "mcp_tool_name": RIGHT_TOOL, "arguments": arguments}
