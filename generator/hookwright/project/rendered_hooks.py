"""Render a hook with this version, find hooks that were edited by hand, and read their tables."""

import ast
import json
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hookwright.clients.dialects import CLAUDE
from hookwright.installer import entries, files
from hookwright.installer.entries import COMPANIONS, name_hook
from hookwright.patterns.check import TOOL
from hookwright.project.reader import Project
from hookwright.template.store import find_template, is_newest
from hookwright_console.files.regular import read_regular

MAX_SIZE = 20_000_000  # bytes per hook
# Columns of a rendered route that are not fields in the answers.
RENDERED_ONLY = {"name", "contains", "words", "code", "scopes"}
NOT_RENDERED = {"contains", "tests"}  # fields in the answers that are not in a hook
WEIGHED = {"ambiguous", "unless", "with"}  # fields that only concern the words around keywords


def list_edited(project: Project) -> list[str]:
    """Return a project's hand-edited hooks, if it uses the newest template."""
    if not is_newest(project.source, project.version):
        return []
    contents = {name: files.peek(project.find_hook(name)) for name in project.script_names}
    return [
        name
        for name, content in contents.items()
        if content and content != render_hook(name, project.answers)
    ]


def render_hook(name: str, answers: Mapping[str, Any], client: str = CLAUDE) -> bytes | None:
    """Return a hook as rendered by this version, without Copier, which takes a second.

    Returns None for answers that Copier would reject, because they could run code in a template,
    and for a hook that is not in the template.
    """
    # Installed hooks do not use Jinja, because importing it takes longer than running them.
    from hookwright.answers.validation import build_environment, cast, check_answers, read_questions

    template = find_template()
    environment = build_environment(template)
    questions = read_questions(template)
    known = {question: answers[question] for question in questions if question in answers}
    if any(check_answers(template, each, own, known, own) for each, own in known.items()):
        return None
    try:
        own = {name: cast(questions[name], answer) for name, answer in known.items()}
        defaults = {name: questions[name].default for name in questions}
        context = {**defaults, **own, "client": client}
        loaders = {loaded: hook for hook, loaded in entries.COMPANIONS.items()}
        script = environment.get_template(f"generator/hooks/{loaders.get(name, name)}/{name}.jinja")
        return script.render(context).encode()
    except Exception:  # noqa: BLE001 - answers may hold anything
        return None


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
