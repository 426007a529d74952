"""Find files that contain records: those of earlier hooks, and ready-made routes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from hookwright.clients.claude.settings import find_config_folder
from hookwright.discovery.search_tools import RIGHT_TOOL, WRONG_TOOL, read_json
from hookwright.template.store import find_template

FILES = {"databases": "docsearch-config.json", "routes": "tool-routes.json"}

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
    """Return the old files in these folders and in the client's folder, without duplicates.

    `check` receives a question and a record's name or number, and returns the record's fault.
    """
    config = find_config_folder()
    found: dict[Path, OldFile] = {}
    for folder in (*folders, config, config / "hooks"):
        for question, name in FILES.items():
            path = folder.absolute() / name
            old = OldFile(path)
            for key, record in list_entries(read_json(path), question):
                if complaint := check(question, record, key):
                    old.complaints.append(complaint)
                elif isinstance(key, int):
                    old.databases.append(record)
                else:
                    old.routes[key] = record
            if old.databases or old.routes or old.complaints:
                found.setdefault(path.resolve(), old)
    return list(found.values())


def list_entries(content: object, question: str) -> Iterable[tuple[str | int, Any]]:
    records = content.get(question) if isinstance(content, dict) else None
    if question == "routes":
        return records.items() if isinstance(records, dict) else ()
    return enumerate(records) if isinstance(records, list) else ()


def correct_tool(database: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with LEANN's tool, and the end of its path as the index, if it needs that."""
    if database["mcp_tool_name"] != WRONG_TOOL:
        return {**database}
    arguments = {"index_name": Path(database["path"]).name, **database.get("arguments", {})}
    return {**database, "mcp_tool_name": RIGHT_TOOL, "arguments": arguments}


@dataclass(frozen=True)
class ReadyRoutes:
    """A file's ready-made routes."""

    name: str  # the file's name, such as github
    about: str  # start of the file's first comment
    add_server: str  # the command in that comment that adds their MCP server, or ""
    text: str

    @cached_property
    def routes(self) -> dict[str, dict[str, Any]]:
        """The records by name."""
        return dict(yaml.safe_load(self.text)["routes"])


def find_ready_routes() -> list[ReadyRoutes]:
    folder = find_template() / "examples" / "routes"
    return [read_ready_routes(path) for path in sorted(folder.glob("*.yml"))]


def read_ready_routes(path: Path) -> ReadyRoutes:
    text = path.read_text("utf-8")
    first, second = (line.removeprefix("#").strip() for line in text.splitlines()[:2])
    comment = f"{first} {second}"
    about = comment.partition(": ")[0].partition(". ")[0].partition(", which")[0]
    add_server = "".join(comment.partition("claude mcp add")[1:])
    return ReadyRoutes(path.stem, about, add_server, text)
