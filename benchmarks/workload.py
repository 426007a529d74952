"""Build the benchmarks' input: databases and routes, projects rendered from them, and events."""

import json
import warnings
from pathlib import Path
from typing import Any

import copier
import yaml
from copier.errors import DirtyLocalWarning

ROOT = Path(__file__).resolve().parent.parent


def build_databases(databases: int, keywords: int) -> list[dict[str, object]]:
    """Return databases with equal numbers of keywords; the first also has the keyword `gl`."""
    return [
        {
            "keywords": [
                "gl" if (number, index) == (0, 1) else f"technology{number}x{index}"
                for index in range(keywords)
            ],
            "path": f"/home/me/.leann/indexes/technology{number}",
            "mcp_tool_name": "mcp__leann__leann_search",
            "description": f"Documentation of technology {number}",
            "arguments": {"index_name": f"technology{number}"},
        }
        for number in range(databases)
    ]


def read_ready_routes(number: int) -> dict[str, Any]:
    """Return the first ready-made routes from examples/routes/, without their tests."""
    files = sorted((ROOT / "examples" / "routes").glob("*.yml"))
    routes = [yaml.safe_load(file.read_text("utf-8"))["routes"] for file in files]
    named = [(name, route) for records in routes for name, route in records.items()]
    return {
        name: {field: value for field, value in route.items() if field != "tests"}
        for name, route in named[:number]
    }


def build_routes(number: int) -> dict[str, Any]:
    """Return routes, each to a different service."""
    return {
        f"service-{index}": {
            "pattern": rf"^https?://service{index}\.example\.com/(?P<team>[\w-]+)/issue/(?P<id>\d+)",
            "message": f"Call mcp__service{index}__get_issue with\n"
            '{"team": "{team}", "id": {id}}\nIt is signed in and gives the issue as data.',
        }
        for index in range(number)
    }


def build_lessons(number: int) -> list[dict[str, object]]:
    """Return lessons composed from the labelled ones, without duplicates."""
    labelled = ROOT / "server/lesson_search/retrieval/labelled/lessons.jsonl"
    rows = labelled.read_text("utf-8").splitlines()
    given = [json.loads(row) for row in rows]
    return [
        {
            "id": f"lesson-{index}",
            "text": f"{given[index % len(given)]['text']} "
            f"{given[index * 7 % len(given)]['text'][:80]} {index}",
            "categories": given[index % len(given)]["categories"],
        }
        for index in range(number)
    ]


def render_project(folder: Path, hook: str, **answers: object) -> Path:
    """Render a project from this checkout, and return the path of one of its hooks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirtyLocalWarning)
        copier.run_copy(str(ROOT), folder, data=answers, defaults=True, quiet=True, vcs_ref="HEAD")
    return folder / "hooks" / f"{hook}.py"


def build_event(tool: str, **tool_input: str) -> bytes:
    """Return a call event in the client's format, from a folder named like a keyword."""
    call = {"tool_name": tool, "tool_input": tool_input, "tool_use_id": "toolu_01"}
    return write_event("PreToolUse", call)


def build_prompt(prompt: str) -> bytes:
    """Return a prompt event in the client's format."""
    return write_event("UserPromptSubmit", {"prompt": prompt})


def write_event(name: str, fields: dict[str, Any]) -> bytes:
    """Return an event with the common fields and the given ones."""
    event = {
        "session_id": "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
        "transcript_path": "/home/me/.claude/projects/work/3f0c1d6e.jsonl",
        "cwd": "/src/gl",
        "permission_mode": "default",
        "hook_event_name": name,
        **fields,
    }
    return json.dumps(event, separators=(",", ":")).encode()


MISS = build_event("WebSearch", query="how to center a div in english")
MATCH = build_event("WebSearch", query="cache gl runners")
