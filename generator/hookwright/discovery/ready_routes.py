"""Find the ready-made routes that come with Hookwright, by file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hookwright.template.store import find_template


@dataclass(frozen=True)
class ReadyRoutes:
    """A file's ready-made routes."""

    name: str  # the file's name, such as github
    about: str  # start of the file's first comment
    routes: dict[str, dict[str, Any]]  # records by name


def find_ready_routes() -> list[ReadyRoutes]:
    folder = find_template() / "examples" / "routes"
    return [read_ready_routes(path) for path in sorted(folder.glob("*.yml"))]


def read_ready_routes(path: Path) -> ReadyRoutes:
    text = path.read_text("utf-8")
    first, second = (line.removeprefix("#").strip() for line in text.splitlines()[:2])
    about = f"{first} {second}".partition(": ")[0].partition(". ")[0].partition(", which")[0]
    return ReadyRoutes(path.stem, about, yaml.safe_load(text)["routes"])
