"""Read a rendered hook's tables without running it."""

import ast
import json
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hookwright.installer.installed_hooks import COMPANIONS, name_hook
from hookwright.patterns.check import TOOL
from hookwright_console.files.regular import read_regular

MAX_SIZE = 20_000_000  # bytes per hook
# Columns of a rendered route that are not fields in the answers.
RENDERED_ONLY = {"name", "contains", "words", "code", "scopes"}
NOT_RENDERED = {"contains", "tests"}  # fields in the answers that are not in a hook
WEIGHED = {"ambiguous", "unless", "with"}  # fields that only concern the words around keywords


def read_tables(path: Path) -> dict[str, Any]:
    """Return a hook's constants by name, or none if it cannot be read.

    A hook without any only loads a module, which has them.
    """
    try:
        source = read_regular(path) if path.stat().st_size <= MAX_SIZE else b""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    tables = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                tables[node.targets[0].id] = ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                continue
    hook = name_hook(path)
    if not tables and hook in COMPANIONS:
        return read_tables(path.with_name(path.name.replace(hook, COMPANIONS[hook], 1)))
    return tables


def read_databases(tables: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a docsearch hook's databases, comparable with the result of `drop_weighed`."""
    keywords = tables.get("KEYWORDS")
    rows = load_rows(tables.get("DATABASES"))
    blocks = keywords[1:-1].split("\n\n") if isinstance(keywords, str) else []
    if len(blocks) != len(rows):
        return []
    return [{"keywords": block.split("\n"), **row} for block, row in zip(blocks, rows, strict=True)]


def drop_weighed(databases: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers' databases, comparable with the result of `read_databases`."""
    return [
        {field: database[field] for field in database if field not in WEIGHED}
        for database in databases
    ]


def read_routes(tables: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a tool_routing hook's routes by name, in the order they are tried."""
    rows = load_rows(tables.get("ROUTES"))
    return {
        str(row.get("name", "")): {field: row[field] for field in row if field not in RENDERED_ONLY}
        for row in rows
    }


def order_routes(routes: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the answers' routes, comparable with the result of `read_routes`."""
    allowing_first = sorted(routes.items(), key=lambda item: item[1].get("action") != "allow")
    return {
        name: {
            "tool": TOOL,
            **{field: route[field] for field in route if field not in NOT_RENDERED},
        }
        for name, route in allowing_first
    }


def load_rows(text: object) -> list[dict[str, Any]]:
    try:
        rows = json.loads(text) if isinstance(text, str) else []
    except (ValueError, RecursionError):
        return []
    return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []
