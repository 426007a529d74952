"""The example search shown to the user is one that the hook denies."""

from pathlib import Path
from typing import Any

import pytest

from hookwright.project.reader import read_project
from hookwright.simulate.run import find_handlers
from hookwright.simulate.trial import choose_search
from hookwright_documentation.databases import CURRENT, INDEX_FILE
from hookwright_documentation.index import build_index

from ...documentation.index.passages import make_passage
from ...support.project import GITLAB, render


@pytest.mark.parametrize(
    ("fields", "search"),
    [
        ({"keywords": ["gitlab"]}, "gitlab"),
        ({"keywords": ["go"], "ambiguous": True}, "go pool"),
        ({"keywords": ["gin"], "with": ["routes", "pool"]}, "gin pool"),
        ({"keywords": ["absent"], "with": ["salad"]}, "absent salad"),
    ],
)
def test_example_search_is_one_that_the_index_covers(
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, Any],
    search: str,
) -> None:
    monkeypatch.setenv("HOOKWRIGHT_DOCS", str(tmp_path / "docs"))
    folder = tmp_path / "docs" / "guide" / "first"
    folder.mkdir(parents=True)
    (folder.parent / CURRENT).write_text("first\n")
    pages = [make_passage(f"{name}.html", name, f"Use {name}.") for name in ("pool", "rest")]
    build_index(tuple(pages), [], folder / INDEX_FILE, {"name": "guide", "version": "1"})
    database = {
        **GITLAB,
        "mcp_tool_name": "mcp__hookwright-docs__search_docs",
        "arguments": {"database": "guide"},
        **fields,
    }
    project = read_project(render(template, tmp_path / "project", databases=[database]))
    assert choose_search(find_handlers(project, "PreToolUse"), database) == f"how do I use {search}"
