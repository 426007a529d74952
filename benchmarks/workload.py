"""What the benchmarks work on: databases of any number, projects rendered from them, events."""

import json
import warnings
from pathlib import Path

import copier
from copier.errors import DirtyLocalWarning

ROOT = Path(__file__).resolve().parent.parent


def build_databases(databases: int, keywords: int) -> list[dict[str, object]]:
    """Return databases with as many keywords each; the first has the short keyword `gl` too."""
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


def render_project(folder: Path, databases: list[dict[str, object]]) -> Path:
    """Render a project from this checkout as it is; return its docsearch hook."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirtyLocalWarning)
        copier.run_copy(
            str(ROOT),
            folder,
            data={"databases": databases},
            defaults=True,
            quiet=True,
            vcs_ref="HEAD",
        )
    return folder / "hooks" / "docsearch.py"


def build_event(query: str) -> bytes:
    """Return the event of a web search as the client sends it, from a folder named as a keyword."""
    event = {
        "session_id": "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a",
        "transcript_path": "/home/me/.claude/projects/work/3f0c1d6e.jsonl",
        "cwd": "/src/gl",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query},
        "tool_use_id": "toolu_01",
    }
    return json.dumps(event, separators=(",", ":")).encode()


MISS = build_event("how to center a div in english")
MATCH = build_event("cache gl runners")
