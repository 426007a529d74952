"""List the clients and hooks that can be installed; a rendered project contains its own list."""

import json
from typing import Any

from hookwright.template.store import SCHEMA, find_template

SCHEMA_OF_QUESTIONS = json.loads((find_template() / SCHEMA).read_text("utf-8"))["properties"]


def read_all(question: str, file: str, *more: str) -> dict[str, Any]:
    """Return the content of each choice's file and of the files in `more`, by name."""
    names = [*SCHEMA_OF_QUESTIONS[question]["items"]["enum"], *more]
    paths = {name: find_template() / "generator" / question / name / file for name in names}
    return {name: json.loads(path.read_text("utf-8")) for name, path in paths.items()}


CLIENTS = read_all("clients", "client.json")
ADDED = {name: rule["hook"] for name, rule in SCHEMA_OF_QUESTIONS.items() if "hook" in rule}
HOOKS = read_all("hooks", "hook.json", *ADDED.values())
