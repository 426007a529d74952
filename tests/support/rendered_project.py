"""Read the contents of a rendered project."""

import json
import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

# Files that the tool_routing hook adds to a project with the docsearch hook.
ROUTING_FILES = {
    "hooks/tool_routing.py",
    "tests/test_tool_routing.py",
}
SKILL_FILES = {"skills/local-documentation/SKILL.md"}
# Files that lesson search adds, unless the client itself queries the server.
LESSON_FILES = {
    "hooks/action_lessons.py",
    "hooks/action_lessons_answer.py",
    "hooks/lesson_search.py",
    "tests/test_action_lessons.py",
    "tests/test_lesson_search.py",
    *SKILL_FILES,
}
FILES = {
    ".claude-plugin/icon.png",
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    ".copier-answers.yml",
    ".gitignore",
    "README.md",
    "installer/__init__.py",
    "installer/client.py",
    "hooks/docsearch.py",
    "hooks/hooks.json",
    "installer/entries.py",
    "installer/files.py",
    "install.py",
    "installer/installation.py",
    "installer/json_text.py",
    "installer/main.py",
    "installer/registry.py",
    "mcp.json",
    "settings.json",
    "tests/conftest.py",
    "tests/test_docsearch.py",
    "tests/test_project.py",
    *SKILL_FILES,
}
# Files that only the docsearch hook needs.
SEARCH_FILES = {"hooks/docsearch.py", "tests/test_docsearch.py", "mcp.json", *SKILL_FILES}

# Text with characters that have a special meaning in Python, JSON, YAML or Jinja.
TEXTS = [
    '"',
    "'",
    "'\"",
    '"""',
    "'''",
    "\\",
    "\\n",
    '\\"',
    "\\u0041",
    "\\N{BULLET}",
    "{{ 1 + 1 }}",
    "{% raw %}",
    "{# gone #}",
    "{{",
    "%}",
    "%s",
    "{index}",
    "$HOME",
    "`id`",
    "# fmt: on",
    "- a: b #c",
    "[x]",
    "&a *a !!int",
    "<<",
    "~",
    "off",
    "y",
    "null",
    "010",
    "1.0",
    "2024-01-01",
    "=",
    "c++",
    "🦊",
    "日本語 ドキュメント",
    "ελληνικά",
    "e\u0301",
    "ﬁ",
]


@dataclass(frozen=True)
class Tables:
    """The tables at the top of a rendered docsearch hook, as parsed by its code."""

    keywords: list[list[str]]
    databases: list[dict[str, Any]]
    retry_window: int


LIMITS = ("RETRY_WINDOW", "FATIGUE_LIMIT", "RECORD_SIZE")


@dataclass(frozen=True)
class RouteTables:
    """The tables at the top of a rendered tool_routing hook, as parsed by its code."""

    routes: list[dict[str, Any]]
    literals: dict[str, list[str]]
    limits: dict[str, int]


def build_database(text: str) -> dict[str, Any]:
    return {
        "keywords": [text],
        "path": f"/{text}",
        "mcp_tool_name": "mcp__leann__search",
        "description": text,
        "name": text,
        "arguments": {text: [text]},
    }


def read_hook(project: Path, name: str = "docsearch") -> dict[str, Any]:
    return runpy.run_path(str(project / "hooks" / f"{name}.py"))


def read_tables(project: Path) -> Tables:
    hook = read_hook(project)
    blocks = hook["KEYWORDS"].strip().split("\n\n")
    return Tables(
        [block.split("\n") for block in blocks], json.loads(hook["DATABASES"]), hook["RETRY_WINDOW"]
    )


def read_route_tables(project: Path) -> RouteTables:
    hook = read_hook(project, "tool_routing")
    for literals in hook["LITERALS"].values():
        assert (literals[0], literals[-1]) == ("\n", "\n")
    return RouteTables(
        json.loads(hook["ROUTES"]),
        {field: literals[1:-1].split("\n") for field, literals in hook["LITERALS"].items()},
        {name: hook[name] for name in LIMITS if name in hook},
    )


WEIGHED = ("keywords", "ambiguous", "unless", "with")  # fields that have separate tables


def build_tables(databases: list[dict[str, Any]], retry_window: int = 300) -> Tables:
    rows = [
        {field: value for field, value in database.items() if field not in WEIGHED}
        for database in databases
    ]
    return Tables([database["keywords"] for database in databases], rows, retry_window)


def read_answers(project: Path) -> dict[str, Any]:
    answers: dict[str, Any] = yaml.safe_load((project / ".copier-answers.yml").read_text("utf-8"))
    return answers


def read_files(project: Path) -> dict[str, bytes]:
    paths = [path.relative_to(project) for path in project.rglob("*") if path.is_file()]
    return {
        path.as_posix(): (project / path).read_bytes() for path in paths if path.parts[0] != ".git"
    }


def read_json(project: Path, path: str) -> Any:
    return json.loads((project / path).read_text("utf-8"))


def assert_same(project: Path, wanted: Path) -> None:
    """Assert that two projects contain the same files and answers.

    The order of questions in the answers file depends on how they were answered, so it is ignored.
    """
    assert read_answers(project) == read_answers(wanted)
    files, others = read_files(project), read_files(wanted)
    del files[".copier-answers.yml"], others[".copier-answers.yml"]
    assert files == others


def assert_silent(told: str) -> None:
    assert "was left out" not in told
    assert "python3 install.py" in told
