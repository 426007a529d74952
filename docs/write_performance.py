"""Write docs/performance.md from the measurements in benchmarks/results."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))
PAGE = FOLDER / "performance.md"
RESULTS = FOLDER.parent / "benchmarks" / "results"
INTRODUCTION = """\
# Performance

Figures that are compared were measured in the same run. `make bench` runs the benchmarks. With
`RECORD=1`, they save their tables in `benchmarks/results`, from which `docs/write_performance.py`
generates this page.

![Times with 10 to 10,000 keywords](keywords.svg)

`make plot` draws this picture.
"""
TITLES = {
    "docsearch": "docsearch",
    "tool-routing": "tool_routing",
    "lesson-hook": "lesson_search",
    "command-line": "The command line",
    "lessons": "Finding lessons",
    "categories": "Sorting lessons into categories",
    "lesson-server": "The lesson server",
    "page": "The lesson server's page",
    "docsearch-answer": "Answering a search in its denial",
    "documentation-search": "Searching documentation",
    "documentation-server": "The documentation server",
    "team-server": "A team's server",
    "leann": "Compared with LEANN",
    "cutting": "What the cutter keeps",
    "generators": "Documentation of other generators",
    "sharing": "Sharing documentation",
}


def write_page() -> str:
    """Return the page."""
    known = [RESULTS / f"{name}.json" for name in TITLES]
    lines = [INTRODUCTION]
    for number, path in enumerate(filter(Path.exists, known)):
        section = write_section(TITLES[path.stem], json.loads(path.read_text("utf-8")))
        lines += ["", *section] if number else section
    return "\n".join(lines) + "\n"


def write_section(title: str, result: dict[str, Any]) -> Iterator[str]:
    from docs.write_answers import write_table

    yield from (f"## {title}", "", f"{result['about']} Run `{result['command']}`.")
    for table in result["tables"]:
        yield ""
        if table["title"]:
            yield from (f"**{table['title']}**", "")
        yield from write_table(table["columns"], table["rows"])


if __name__ == "__main__":
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    page.write_text(write_page(), "utf-8")
